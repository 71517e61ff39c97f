-- The numbers of subjects by their names.
SELECT subject_id FROM cb.subject WHERE list_contains($names, name)
