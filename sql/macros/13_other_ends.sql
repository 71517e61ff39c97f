-- Where sources state one value with different ends: information, no contradiction (K3, end_differs). A sweep as in cb.disputes: sorted by
-- start, a version shares an instant with those that start before it ends. enumerate: each pair; else how many there are in each slot.
CREATE OR REPLACE MACRO cb.other_ends(observed_by, recorded_by, since, before, subject_ids, predicate_ids, enumerate) AS TABLE
  WITH ended AS MATERIALIZED (
    SELECT v.*, coalesce(v.from_earliest, v.from_latest) AS begins, coalesce(v.until_latest, 'infinity'::TIMESTAMPTZ) AS ends
    FROM cb.spoken(observed_by, recorded_by, subject_ids, predicate_ids) AS v
    JOIN cb.statement AS t ON t.claim_no = v.claim_no
    WHERE v.says_nothing IS NULL AND v.bounded
      AND v.until_earliest IS NOT DISTINCT FROM t.until_earliest AND v.until_latest IS NOT DISTINCT FROM t.until_latest
      AND (before IS NULL OR v.from_earliest IS NULL OR v.from_earliest < before)
      AND (since IS NULL OR v.until_latest IS NULL OR v.until_latest > since)),
  placed AS MATERIALIZED (
    SELECT e.*, dense_rank() OVER (ORDER BY subject_id, predicate_id, scope_id, value_id, absent) AS said,
      row_number() OVER (PARTITION BY subject_id, predicate_id, scope_id, value_id, absent ORDER BY begins, version_id) AS place
    FROM ended AS e
    JOIN (
      SELECT subject_id, predicate_id, scope_id, value_id, absent FROM ended GROUP BY ALL
      HAVING count(DISTINCT (until_earliest, until_latest)) > 1) AS d USING (subject_id, predicate_id, scope_id, value_id, absent)),
  reach AS (
    SELECT p.*, s.place - p.place AS met
    FROM placed AS p
    ASOF JOIN (SELECT said, begins, max(place) AS place FROM placed GROUP BY said, begins) AS s ON s.said = p.said AND s.begins < p.ends),
  alike AS (
    SELECT said, sum(n * (n - 1) // 2) AS pairs
    FROM (SELECT said, until_earliest, until_latest, count(*) AS n FROM placed GROUP BY ALL) GROUP BY said),
  met_pairs AS (
    SELECT said, version_id, unnest(range(place + 1, place + least(met, 1000) + 1)) AS nth FROM reach WHERE enumerate)
  SELECT a.subject_id, a.predicate_id, a.scope_id, a.claim_no, b.claim_no AS other_no, greatest(a.begins, b.begins) AS shared_from,
    nullif(least(a.ends, b.ends), 'infinity'::TIMESTAMPTZ) AS shared_until, 1 AS pairs
  FROM met_pairs AS m
  JOIN placed AS a ON a.version_id = m.version_id
  JOIN placed AS b ON b.said = m.said AND b.place = m.nth
  WHERE (a.until_earliest, a.until_latest) IS DISTINCT FROM (b.until_earliest, b.until_latest)
  UNION ALL
  SELECT any_value(r.subject_id), any_value(r.predicate_id), any_value(r.scope_id), NULL, NULL, NULL, NULL, sum(met) - any_value(a.pairs)
  FROM reach AS r JOIN alike AS a USING (said) WHERE NOT enumerate GROUP BY r.said
