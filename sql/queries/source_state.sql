-- What is said of a source at an instant, and what was decided about it.
SELECT d.source_id IS NOT NULL AS described, d.title, d.publisher, d.published_at, coalesce(d.source_type, 'other') AS source_type,
  coalesce(d.authority, 'third_party') AS authority, d.derived_from, coalesce(w.allowed, true) AS allowed, w.allowed_reason,
  w.freshness_days, w.doi_key, w.tenant, w.mirror_of
FROM (SELECT $source_id AS source_id) AS r
LEFT JOIN cb.source_described($observed_by, $recorded_by) AS d ON d.source_id = r.source_id
LEFT JOIN cb.source_setting_current($recorded_by) AS w ON w.source_id = r.source_id
