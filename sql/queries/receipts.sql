-- Receipts kept, the newest first.
SELECT receipt_id, kind, passed, body_sha256, batch_id, recorded_at, canonical IS NULL AS erased FROM cb.receipt
WHERE recorded_at <= $recorded_by ORDER BY batch_id DESC, receipt_id
