-- Log entries not held yet: the same claim at the same instant is nothing at all (B6).
CREATE OR REPLACE TEMP TABLE new_entry AS
SELECT DISTINCT predicate_id, subject_id, scope_id, source_id, claim_no, observed_at, ordinal, entry AS kind,
  CASE WHEN entry = 'said' THEN quote_id END AS quote_id
FROM accepted AS a
WHERE NOT EXISTS (FROM cb.entry AS e WHERE e.claim_no = a.claim_no AND e.observed_at = a.observed_at
  AND (e.kind, e.ordinal, e.quote_id) IS NOT DISTINCT FROM
    (a.entry, a.ordinal, CASE WHEN a.entry = 'said' THEN a.quote_id END))
