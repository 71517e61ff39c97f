-- The texts a source was read with by a basis, the one read first before the others.
SELECT t.snapshot_id, t.n_chars, t.profile, t.media_type, t.extractor, length(t.page_offsets) AS pages, t.declared_version, t.published_at,
  min(f.fetched_at) AS first_read_at, max(f.fetched_at) AS last_read_at, coalesce(bool_or(u.snapshot_id = t.snapshot_id), false) AS in_use
FROM cb.snapshot AS t
JOIN cb.fetch AS f ON f.snapshot_id = t.snapshot_id
LEFT JOIN cb.snapshot_current($observed_by, $recorded_by) AS u ON u.source_id = t.source_id
WHERE t.source_id = $source AND cb.countable(f.disposition) AND f.fetched_at <= $observed_by
  AND f.recorded_at <= $recorded_by
GROUP BY ALL ORDER BY first_read_at, t.snapshot_id
