-- The newest batch at or before an instant (A1).
SELECT batch_id, recorded_at FROM cb.batch WHERE recorded_at <= $recorded_by ORDER BY batch_id DESC LIMIT 1
