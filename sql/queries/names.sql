-- Every subject with its provider.
SELECT provider, name FROM cb.subject ORDER BY provider, name, subject_id
