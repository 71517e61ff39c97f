-- Pairs of one value whose sources state different ends: information, no contradiction (K3, end_differs).
CREATE OR REPLACE MACRO cb.other_ends(observed_by, recorded_by, since, before, subject_ids, predicate_ids) AS TABLE
  WITH ended AS (
    SELECT v.*, coalesce(v.from_earliest, v.from_latest) AS begins
    FROM cb.spoken(observed_by, recorded_by, subject_ids, predicate_ids) AS v
    JOIN cb.statement AS t ON t.claim_no = v.claim_no
    WHERE v.says_nothing IS NULL AND v.bounded
      AND v.until_earliest IS NOT DISTINCT FROM t.until_earliest AND v.until_latest IS NOT DISTINCT FROM t.until_latest
      AND (before IS NULL OR v.from_earliest IS NULL OR v.from_earliest < before)
      AND (since IS NULL OR v.until_latest IS NULL OR v.until_latest > since)),
  differing AS (
    SELECT subject_id, predicate_id, scope_id, value_id, absent FROM ended GROUP BY ALL
    HAVING count(DISTINCT claim_no) > 1
      AND (min(until_earliest) <> max(until_earliest) OR min(until_latest) <> max(until_latest) OR count(until_latest) NOT IN (0, count(*))))
  SELECT a.subject_id, a.predicate_id, a.scope_id, a.claim_no, b.claim_no AS other_no, a.version_id, b.version_id AS other_version,
    greatest(a.begins, b.begins) AS shared_from,
    nullif(least(coalesce(a.until_latest, 'infinity'::TIMESTAMPTZ), coalesce(b.until_latest, 'infinity'::TIMESTAMPTZ)), 'infinity'::TIMESTAMPTZ) AS shared_until
  FROM differing AS d
  JOIN ended AS a USING (subject_id, predicate_id, scope_id, value_id, absent)
  JOIN ended AS b USING (subject_id, predicate_id, scope_id, value_id, absent)
  WHERE a.claim_no < b.claim_no
    AND (a.until_earliest, a.until_latest) IS DISTINCT FROM (b.until_earliest, b.until_latest)
    AND (a.until_latest IS NULL OR b.begins < a.until_latest) AND (b.until_latest IS NULL OR a.begins < b.until_latest)
