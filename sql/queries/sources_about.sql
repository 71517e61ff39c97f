-- The sources whose claims speak of a subject at a basis (NULL = of any), with how many and whether a text is held.
SELECT r.source_key AS source_id, r.uri AS url, d.title, d.publisher, coalesce(d.source_type, 'other') AS source_type,
  coalesce(d.authority, 'third_party') AS authority, count(DISTINCT c.claim_no) AS claims, max(t.last_fetched_at) AS last_read_at,
  any_value(t.snapshot_id) AS snapshot_id
FROM cb.visible($observed_by, $recorded_by) AS c
JOIN cb.source AS r ON r.source_id = c.source_id
LEFT JOIN cb.canonical('subject', $recorded_by) AS a ON a.alias_id = c.subject_id
LEFT JOIN cb.source_described($observed_by, $recorded_by) AS d ON d.source_id = c.source_id
LEFT JOIN cb.snapshot_current($observed_by, $recorded_by) AS t ON t.source_id = c.source_id
WHERE $subject IS NULL OR coalesce(a.canonical_id, c.subject_id) = $subject
GROUP BY ALL ORDER BY claims DESC, source_id
