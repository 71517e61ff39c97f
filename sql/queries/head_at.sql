-- The newest batch at or before an instant, with its root.
SELECT batch_id, root FROM cb.batch WHERE recorded_at <= $recorded_by ORDER BY batch_id DESC LIMIT 1
