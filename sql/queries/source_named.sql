-- The source with an address or an id; and why it was withdrawn, if it was.
SELECT r.source_id, r.source_key, r.uri, r.url_key, w.reason
FROM cb.source AS r LEFT JOIN cb.withdrawn($recorded_by) AS w ON w.source_id = r.source_id
WHERE (r.url_key = $address OR r.source_key = $name) AND r.recorded_at <= $recorded_by
ORDER BY r.url_key = $address DESC LIMIT 1
