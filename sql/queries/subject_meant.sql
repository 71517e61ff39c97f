-- The subjects a name means within a basis, whenever they were first recorded (P2).
SELECT DISTINCT m.subject_id, m.provider, m.name, m.recorded_at
FROM cb.subject AS s
LEFT JOIN cb.canonical('subject', $recorded_by) AS a ON a.alias_id = s.subject_id
JOIN cb.subject AS m ON m.subject_id = coalesce(a.canonical_id, s.subject_id)
WHERE s.name_key = cb.folded($name)
  AND ($provider IS NULL OR cb.folded($provider) IN (s.provider_key, m.provider_key))
ORDER BY m.provider, m.name, m.subject_id
