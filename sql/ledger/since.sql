-- The batches from one on: number, entries and root.
SELECT batch_id, entries, root FROM cb.batch WHERE batch_id >= $batch_id ORDER BY batch_id
