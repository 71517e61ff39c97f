-- The newest batch: number, instant, root.
SELECT batch_id, recorded_at, root FROM cb.batch ORDER BY batch_id DESC LIMIT 1
