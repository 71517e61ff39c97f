-- Insert the versions that newly follow, clustered. Numbers of versions that were erased are not given again.
INSERT INTO cb.claim
SELECT (SELECT greatest(coalesce((SELECT max(version_id) FROM cb.claim), 0), coalesce(max(version_id), 0)) FROM cb.retraction)
    + row_number() OVER (), v.*, $recorded_at, NULL
FROM (
  SELECT * FROM version AS v
  WHERE NOT EXISTS (FROM cb.claim AS c WHERE c.claim_no = v.claim_no AND c.retracted_at IS NULL
    AND v.observed_from = c.observed_from AND v.observed_at = c.observed_at
    AND (v.quote_id, v.value_id, v.unit_id, v.from_earliest, v.from_latest, v.until_earliest, v.until_latest, v.observed_until)
      IS NOT DISTINCT FROM
      (c.quote_id, c.value_id, c.unit_id, c.from_earliest, c.from_latest, c.until_earliest, c.until_latest, c.observed_until))
  ORDER BY predicate_id, subject_id, from_latest, claim_no, observed_from) AS v
