-- Sources whose address or id begins as a text does, or is spelled nearest to it, the nearest first.
SELECT uri, source_key, begun FROM (
  SELECT *, coalesce(length($name) > 2 AND (starts_with(source_key, $name) OR starts_with(uri, $name) OR starts_with(url_key, $name)
      OR starts_with(url_key, $address) OR starts_with($address, url_key)), false) AS begun,
    jaro_winkler_similarity(url_key, coalesce($address, $name)) AS likeness
  FROM cb.source WHERE recorded_at <= $recorded_by)
WHERE begun OR likeness > 0.8 ORDER BY begun DESC, likeness DESC, uri LIMIT 3
