-- Number sources seen for the first time, and give each its id.
INSERT INTO cb.source
SELECT (SELECT coalesce(max(source_id), 0) FROM cb.source) + row_number() OVER (ORDER BY url_key),
  cb.free_source_key(url_key), uri, url_key, $recorded_at
FROM (SELECT url_key, min(uri) AS uri FROM staged WHERE problem IS NULL GROUP BY url_key) AS n
WHERE NOT EXISTS (FROM cb.source AS s WHERE s.url_key = n.url_key)
