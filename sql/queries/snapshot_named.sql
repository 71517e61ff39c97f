-- The snapshot with an id, or the newest text of the source with that id; and whether the source may be used.
SELECT t.snapshot_id, r.uri, coalesce(w.allowed, true) AS allowed, w.allowed_reason
FROM cb.snapshot AS t
JOIN cb.source AS r ON r.source_id = t.source_id
JOIN (SELECT snapshot_id, max(fetched_at) AS read_at FROM cb.fetch WHERE cb.countable(disposition) GROUP BY snapshot_id) AS f
  ON f.snapshot_id = t.snapshot_id
LEFT JOIN cb.source_setting_current($recorded_by) AS w ON w.source_id = t.source_id
WHERE t.snapshot_id = $name OR r.source_key = $name
ORDER BY f.read_at DESC, t.snapshot_id LIMIT 1
