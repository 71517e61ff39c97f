-- Histories of everything, written by hand and two-valued: certain intervals of equal values, coalesced by slot.
WITH visible AS (
  SELECT subject_id, predicate_id, scope_id, value_id, from_latest AS begins, max(coalesce(until_earliest, 'infinity'::TIMESTAMPTZ)) AS ends
  FROM cb.claim
  WHERE from_latest IS NOT NULL AND observed_from <= $o AND (observed_until IS NULL OR observed_until > $o)
    AND recorded_at <= $o AND (retracted_at IS NULL OR retracted_at > $o)
  GROUP BY ALL),
fresh AS (
  SELECT *, (begins > coalesce(max(ends) OVER (w ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), '-infinity'::TIMESTAMPTZ))::INTEGER AS first
  FROM visible WINDOW w AS (PARTITION BY subject_id, predicate_id, scope_id, value_id ORDER BY begins)),
run AS (
  SELECT *, sum(first) OVER (PARTITION BY subject_id, predicate_id, scope_id, value_id ORDER BY begins ROWS UNBOUNDED PRECEDING) AS place FROM fresh)
SELECT count(*) FROM (
  SELECT min(begins), max(ends) FROM run GROUP BY subject_id, predicate_id, scope_id, value_id, place)
