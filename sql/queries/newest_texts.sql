-- The texts read last, one a snapshot, the newest first.
SELECT f.snapshot_id FROM cb.fetch AS f JOIN cb.snapshot AS t ON t.snapshot_id = f.snapshot_id
WHERE cb.countable(f.disposition) AND t.text IS NOT NULL
GROUP BY f.snapshot_id ORDER BY max(f.fetched_at) DESC, f.snapshot_id LIMIT $most
