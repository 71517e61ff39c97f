-- Keep a receipt, by its canonical bytes.
INSERT INTO cb.receipt SELECT $receipt_id, $kind, $passed, $canonical, $body_sha256, $batch_id, $recorded_at
