-- Number one source and give it its id, if it is new.
INSERT INTO cb.source
SELECT (SELECT coalesce(max(source_id), 0) + 1 FROM cb.source), cb.free_source_key($url_key), $uri, $url_key, $recorded_at
WHERE NOT EXISTS (FROM cb.source AS s WHERE s.url_key = $url_key)
