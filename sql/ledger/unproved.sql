-- What the roots do not hold but another digest or row proves: texts, the bytes of receipts, when versions ended. What an erasure took is
-- NULL, and a tombstone names it.
WITH emptied AS (SELECT unnest(emptied) AS id FROM cb.tombstone)
SELECT * FROM (
  SELECT 'snapshot' AS part, 'its text is not what its digest was made of' AS what, NULL::BIGINT AS batch_id, snapshot_id AS detail
  FROM cb.snapshot AS s WHERE text IS NOT NULL AND (text_sha256 IS NULL OR sha256(text) <> text_sha256)
  UNION ALL SELECT 'snapshot', 'its text is gone and nothing was erased', NULL, snapshot_id FROM cb.snapshot
  WHERE text IS NULL AND text_sha256 IS NOT NULL AND snapshot_id NOT IN (SELECT id FROM emptied)
  UNION ALL SELECT 'receipt', 'its bytes are not what its digest was made of', batch_id, receipt_id FROM cb.receipt
  WHERE canonical IS NOT NULL AND sha256(canonical) <> body_sha256
  UNION ALL SELECT 'receipt', 'its bytes are gone and nothing was erased', batch_id, receipt_id FROM cb.receipt
  WHERE canonical IS NULL AND receipt_id NOT IN (SELECT id FROM emptied)
  UNION ALL SELECT 'snapshot', 'its id is not made of its digest and its source', NULL, snapshot_id
  FROM cb.snapshot AS s JOIN cb.source AS r ON r.source_id = s.source_id
  WHERE snapshot_id <> 'sha256:' || coalesce(text_sha256, raw_sha256) || '/' || r.source_key
  UNION ALL SELECT 'migration', 'it stands there more than once', NULL, number::VARCHAR FROM cb.migration GROUP BY number HAVING count(*) > 1
  UNION ALL SELECT 'claim', 'it ended without a retraction, or at another instant', NULL, cb.claim_id(c.claim_no)
  FROM cb.claim AS c LEFT JOIN cb.retraction AS r ON r.version_id = c.version_id WHERE c.retracted_at IS DISTINCT FROM r.recorded_at
  UNION ALL SELECT 'retraction', 'the version it ends is missing', NULL, cb.claim_id(r.claim_no) FROM cb.retraction AS r
  WHERE NOT EXISTS (FROM cb.claim AS c WHERE c.version_id = r.version_id AND c.claim_no = r.claim_no)
    AND NOT EXISTS (FROM cb.tombstone AS t WHERE t.claim_no = r.claim_no))
ORDER BY part, what, detail LIMIT $most
