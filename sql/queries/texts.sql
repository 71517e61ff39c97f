-- Texts as read, by id.
SELECT snapshot_id, text, profile FROM cb.snapshot WHERE list_contains($snapshots, snapshot_id) ORDER BY snapshot_id
