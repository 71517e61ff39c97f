-- Number the source of a whole reading, if it is new; it may have said nothing yet.
INSERT INTO cb.source
SELECT (SELECT coalesce(max(source_id), 0) + 1 FROM cb.source), $source_key, $uri, $url_key, $recorded_at
WHERE NOT EXISTS (FROM cb.source AS s WHERE s.url_key = $url_key)
