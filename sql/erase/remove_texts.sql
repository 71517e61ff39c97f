-- Empty those snapshots.
UPDATE cb.snapshot SET text = NULL WHERE snapshot_id IN (SELECT id FROM emptied)
