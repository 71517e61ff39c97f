-- Versions that stand and do not follow from the log, and versions that follow and do not stand (B1).
SELECT 'claim' AS part,
  CASE WHEN version_id IS NULL THEN 'a version follows from the log and does not stand' ELSE 'a version stands and does not follow from the log' END AS what,
  NULL::BIGINT AS batch_id, cb.claim_id(claim_no) AS detail
FROM difference ORDER BY detail, what, observed_at, observed_from LIMIT $most
