-- What a person would write: the values of both sides by slot, joined outright, on the same table.
WITH before AS (
  SELECT subject_id, predicate_id, scope_id, value_id, bool_or(from_latest <= $a AND (until_earliest IS NULL OR until_earliest > $a)) AS certain,
    list(claim_no ORDER BY claim_no) AS claims
  FROM cb.claim
  WHERE observed_from <= $o AND (observed_until IS NULL OR observed_until > $o) AND recorded_at <= $o AND (retracted_at IS NULL OR retracted_at > $o)
    AND (from_earliest IS NULL OR from_earliest <= $a) AND (until_latest IS NULL OR until_latest > $a)
  GROUP BY ALL),
after AS (
  SELECT subject_id, predicate_id, scope_id, value_id, bool_or(from_latest <= $b AND (until_earliest IS NULL OR until_earliest > $b)) AS certain,
    list(claim_no ORDER BY claim_no) AS claims
  FROM cb.claim
  WHERE observed_from <= $o AND (observed_until IS NULL OR observed_until > $o) AND recorded_at <= $o AND (retracted_at IS NULL OR retracted_at > $o)
    AND (from_earliest IS NULL OR from_earliest <= $b) AND (until_latest IS NULL OR until_latest > $b)
  GROUP BY ALL)
SELECT s.provider, s.name, p.name, b.certain, a.certain, b.claims, a.claims
FROM before AS b FULL OUTER JOIN after AS a USING (subject_id, predicate_id, scope_id, value_id)
JOIN cb.subject AS s USING (subject_id) JOIN cb.predicate AS p USING (predicate_id)
WHERE b.certain IS DISTINCT FROM a.certain OR b.claims IS DISTINCT FROM a.claims
ORDER BY s.provider, s.name, p.name, value_id
