-- Standing versions of the touched slots that no longer follow.
CREATE OR REPLACE TEMP TABLE obsolete AS
SELECT c.version_id, c.claim_no, c.observed_at FROM cb.claim AS c SEMI JOIN touched AS t USING (predicate_id, subject_id, scope_id)
WHERE c.retracted_at IS NULL AND NOT EXISTS (FROM version AS v WHERE v.claim_no = c.claim_no
  AND v.observed_from = c.observed_from AND v.observed_at = c.observed_at
  AND (v.quote_id, v.value_id, v.unit_id, v.from_earliest, v.from_latest, v.until_earliest, v.until_latest, v.observed_until)
    IS NOT DISTINCT FROM
    (c.quote_id, c.value_id, c.unit_id, c.from_earliest, c.from_latest, c.until_earliest, c.until_latest, c.observed_until))
