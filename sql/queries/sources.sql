-- Sources as a basis knows them: what they say of themselves, what was decided about them, texts held, readings, claims. source: one, NULL = all.
WITH said AS (
  SELECT source_id, count(DISTINCT claim_no) AS claims FROM cb.visible($observed_by, $recorded_by) GROUP BY source_id),
read AS (
  SELECT f.source_id, count(DISTINCT f.snapshot_id) FILTER (cb.countable(f.disposition)) AS snapshots,
    max(f.fetched_at) FILTER (cb.countable(f.disposition)) AS last_read_at,
    arg_max(f.disposition, (f.fetched_at, f.recorded_at, f.fetch_id)) AS last_disposition
  FROM cb.fetch AS f WHERE f.fetched_at <= $observed_by AND f.recorded_at <= $recorded_by GROUP BY f.source_id)
SELECT r.source_key AS source_id, r.uri, d.title, d.publisher, d.published_at, coalesce(d.source_type, 'other') AS source_type,
  coalesce(d.authority, 'third_party') AS authority, d.derived_from, coalesce(w.allowed, true) AS allowed, w.allowed_reason,
  g.reason AS withdrawn, w.freshness_days, w.doi_key, w.tenant, w.mirror_of, coalesce(f.snapshots, 0) AS snapshots, f.last_read_at,
  f.last_disposition, coalesce(c.claims, 0) AS claims
FROM cb.source AS r
LEFT JOIN cb.source_described($observed_by, $recorded_by) AS d ON d.source_id = r.source_id
LEFT JOIN cb.source_setting_current($recorded_by) AS w ON w.source_id = r.source_id
LEFT JOIN cb.withdrawn($recorded_by) AS g ON g.source_id = r.source_id
LEFT JOIN read AS f ON f.source_id = r.source_id
LEFT JOIN said AS c ON c.source_id = r.source_id
WHERE r.recorded_at <= $recorded_by AND ($source IS NULL OR r.source_id = $source)
ORDER BY r.uri, r.source_key
