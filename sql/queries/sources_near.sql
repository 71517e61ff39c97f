-- Sources whose address or id begins as a text does, or is spelled nearest to it, the nearest first.
SELECT uri, source_key FROM (
  SELECT *, starts_with(source_key, $name) OR starts_with(url_key, $name) OR starts_with($name, url_key) AS begun,
    jaro_winkler_similarity(url_key, $name) AS likeness
  FROM cb.source)
WHERE begun OR likeness > 0.8 ORDER BY begun DESC, likeness DESC, uri LIMIT 3
