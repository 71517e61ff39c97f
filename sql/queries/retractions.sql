-- What providers say of some publications, NULL = of all they were asked for.
SELECT * FROM cb.retraction_current($observed_by, $recorded_by)
WHERE $dois IS NULL OR doi_key IN (SELECT unnest($dois::VARCHAR[])) ORDER BY doi_key
