-- A text as read; one that is held already stays as it is.
INSERT INTO cb.snapshot
SELECT $snapshot_id, $source_id, $text, $text_sha256, $raw_sha256, $n_chars, $media_type, $profile, $extractor, $page_offsets,
  $declared_version, $published_at, $recorded_at
WHERE NOT EXISTS (FROM cb.snapshot AS t WHERE t.snapshot_id = $snapshot_id)
