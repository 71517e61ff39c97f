-- Canonical ids of the subjects with these folded names (NULL = any), of these providers (NULL = any); other names count too (P2).
SELECT DISTINCT coalesce(a.canonical_id, s.subject_id)::INTEGER AS subject_id
FROM cb.subject AS s
LEFT JOIN cb.canonical('subject', $recorded_by) AS a ON a.alias_id = s.subject_id
LEFT JOIN cb.subject AS m ON m.subject_id = coalesce(a.canonical_id, s.subject_id)
WHERE s.recorded_at <= $recorded_by
  AND ($names IS NULL OR list_contains($names, s.name_key))
  AND ($providers IS NULL OR list_contains($providers, s.provider_key) OR list_contains($providers, m.provider_key))
ORDER BY 1
