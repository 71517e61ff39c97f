-- The best hand-written sweep of a two-valued conjunction over time: satisfying claims coalesced by constraint, then counted.
WITH hit AS (__BRANCHES__),
starts AS (SELECT subject_id, bit, begins, max(ends) AS ends FROM hit WHERE begins < ends GROUP BY subject_id, bit, begins),
fresh AS (
  SELECT *, (begins > coalesce(max(ends) OVER (w ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), '-infinity'::TIMESTAMPTZ))::INTEGER AS first
  FROM starts WINDOW w AS (PARTITION BY subject_id, bit ORDER BY begins)),
run AS (SELECT *, sum(first) OVER (PARTITION BY subject_id, bit ORDER BY begins ROWS UNBOUNDED PRECEDING) AS place FROM fresh),
met AS (SELECT subject_id, min(begins) AS begins, max(ends) AS ends FROM run GROUP BY subject_id, bit, place),
event AS (
  SELECT subject_id, moment, sum(step) AS step FROM (
    SELECT subject_id, begins AS moment, 1 AS step FROM met UNION ALL SELECT subject_id, ends, -1 FROM met)
  GROUP BY subject_id, moment),
counted AS (
  SELECT subject_id, moment, sum(step) OVER w AS holding, lead(moment) OVER (PARTITION BY subject_id ORDER BY moment) AS until
  FROM event WINDOW w AS (PARTITION BY subject_id ORDER BY moment ROWS UNBOUNDED PRECEDING))
SELECT subject_id, moment, until FROM counted WHERE holding = $k AND until IS NOT NULL ORDER BY subject_id, moment
