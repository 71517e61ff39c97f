-- Every name of some subjects, by the one each stands for.
SELECT coalesce(a.canonical_id, s.subject_id) AS subject_no, s.name
FROM cb.subject AS s LEFT JOIN cb.canonical('subject', $recorded_by) AS a ON a.alias_id = s.subject_id
WHERE list_contains($subjects::INTEGER[], coalesce(a.canonical_id, s.subject_id)) ORDER BY subject_no, s.name
