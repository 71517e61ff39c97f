-- The newest declaration of each predicate, and of each pack's scope words, by an instant.
SELECT CASE WHEN predicate_id = 0 THEN 'words' ELSE 'predicate' END AS kind, declaration FROM (
  SELECT *, row_number() OVER (PARTITION BY predicate_id, CASE WHEN predicate_id = 0 THEN pack END
    ORDER BY recorded_at DESC) AS age
  FROM cb.predicate_declaration WHERE recorded_at <= $recorded_by)
WHERE age = 1 ORDER BY predicate_id, pack
