-- Subjects whose names are spelled nearest to a folded one, the nearest first.
SELECT provider, name FROM (
  SELECT provider, name, jaro_winkler_similarity(name_key, $name) AS likeness FROM cb.subject)
WHERE likeness > 0.8 ORDER BY likeness DESC, provider, name LIMIT 3
