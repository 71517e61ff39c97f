-- The newest batch, as the head file notes it.
SELECT batch_id, entries, root FROM cb.batch ORDER BY batch_id DESC LIMIT 1
