-- One receipt with the root of its batch.
SELECT r.receipt_id, r.canonical, r.body_sha256, r.batch_id, b.root
FROM cb.receipt AS r LEFT JOIN cb.batch AS b ON b.batch_id = r.batch_id
WHERE r.receipt_id = $receipt_id ORDER BY r.batch_id DESC LIMIT 1
