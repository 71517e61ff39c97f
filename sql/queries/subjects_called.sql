-- Subjects with a folded name, of one provider (folded, NULL = any).
SELECT subject_id, provider, name FROM cb.subject
WHERE name_key = $name AND ($provider IS NULL OR provider_key = $provider)
ORDER BY provider, name
