-- The root of one batch.
SELECT root FROM cb.batch WHERE batch_id = $batch_id
