-- Receipts whose ids begin as a text does.
SELECT DISTINCT receipt_id FROM cb.receipt WHERE starts_with(receipt_id, $begin) ORDER BY receipt_id LIMIT 3
