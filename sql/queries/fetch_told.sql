-- A reading that was told before.
SELECT disposition, snapshot_id, detail FROM cb.fetch WHERE fetch_id = $fetch_id
