-- The newest batch: its number and its instant, which is the greatest one (B4); NULL where there is none.
SELECT max(batch_id), max(recorded_at) FROM cb.batch
