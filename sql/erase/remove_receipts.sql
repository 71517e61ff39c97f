-- Empty those receipts.
UPDATE cb.receipt SET canonical = NULL WHERE receipt_id IN (SELECT id FROM emptied)
