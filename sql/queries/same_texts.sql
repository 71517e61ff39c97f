-- The other sources that were read with the very same text.
SELECT r.source_key, r.url_key FROM cb.snapshot AS t JOIN cb.source AS r ON r.source_id = t.source_id
WHERE t.text_sha256 = $digest AND t.source_id <> $source_id ORDER BY r.source_key
