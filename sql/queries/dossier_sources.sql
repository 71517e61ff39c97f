-- Sources as a basis knows them: what they say of themselves, what was decided about them.
SELECT r.source_key AS source_id, r.uri, r.url_key, d.title, d.publisher, d.published_at, coalesce(d.source_type, 'other') AS source_type,
  coalesce(d.authority, 'third_party') AS authority, d.derived_from, w.doi_key, coalesce(w.allowed, true) AS allowed,
  w.allowed_reason, w.tenant, w.freshness_days, w.mirror_of, g.reason AS withdrawn, least(f.first_read_at, d.first_seen_at) AS first_seen_at
FROM cb.source AS r
LEFT JOIN (SELECT x.*, (SELECT min(a.observed_at) FROM cb.source_attribute AS a WHERE a.source_id = x.source_id
    AND a.observed_at <= $observed_by AND a.recorded_at <= $recorded_by) AS first_seen_at
  FROM cb.source_described($observed_by, $recorded_by) AS x) AS d ON d.source_id = r.source_id
LEFT JOIN cb.source_setting_current($recorded_by) AS w ON w.source_id = r.source_id
LEFT JOIN cb.withdrawn($recorded_by) AS g ON g.source_id = r.source_id
LEFT JOIN (SELECT source_id, min(fetched_at) AS first_read_at FROM cb.fetch WHERE fetched_at <= $observed_by AND recorded_at <= $recorded_by
  GROUP BY source_id) AS f ON f.source_id = r.source_id
WHERE r.recorded_at <= $recorded_by AND ($sources IS NULL OR list_contains($sources::VARCHAR[], r.source_key))
ORDER BY r.source_key
