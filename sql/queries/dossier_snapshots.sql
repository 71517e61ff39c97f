-- Texts as read, with when they were read first and last within a basis.
SELECT t.snapshot_id, r.source_key AS source_id, t.text, t.text_sha256, t.profile, min(f.fetched_at) AS fetched_at,
  max(f.fetched_at) AS last_fetched_at, t.declared_version, t.published_at, t.page_offsets, t.media_type
FROM cb.snapshot AS t
JOIN cb.source AS r ON r.source_id = t.source_id
JOIN cb.fetch AS f ON f.snapshot_id = t.snapshot_id
WHERE cb.countable(f.disposition) AND f.fetched_at <= $observed_by AND f.recorded_at <= $recorded_by
  AND list_contains($snapshots, t.snapshot_id)
GROUP BY ALL ORDER BY t.snapshot_id
