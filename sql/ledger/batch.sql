-- One batch by its number.
SELECT batch_id, recorded_at, root FROM cb.batch WHERE batch_id = $batch_id
