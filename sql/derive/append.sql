-- Insert the versions that newly follow, clustered. Numbers of versions that were erased are not given again.
INSERT INTO cb.claim
SELECT (SELECT greatest(coalesce((SELECT max(version_id) FROM cb.claim), 0), coalesce(max(version_id), 0)) FROM cb.retraction)
    + row_number() OVER (), v.*, $recorded_at, NULL
FROM (
  SELECT * EXCLUDE (version_id) FROM difference WHERE version_id IS NULL
  ORDER BY predicate_id, subject_id, from_latest, claim_no, observed_from) AS v
