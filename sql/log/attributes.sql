-- What readings say of their sources; the newest reading within a basis holds.
INSERT INTO cb.source_attribute
SELECT a.source_id, a.observed_at, a.title, a.publisher, a.published_at, a.source_type, a.authority, a.derived_from, $recorded_at
FROM (
  SELECT DISTINCT a.source_id, a.observed_at, g.title, g.publisher, g.published_at, g.source_type, g.authority, g.derived_from
  FROM accepted AS a JOIN staged AS g USING (row) WHERE a.entry = 'said') AS a
WHERE NOT EXISTS (FROM cb.source_attribute AS s WHERE s.source_id = a.source_id AND s.observed_at = a.observed_at
  AND (s.title, s.publisher, s.published_at, s.source_type, s.authority, s.derived_from) IS NOT DISTINCT FROM
    (a.title, a.publisher, a.published_at, a.source_type, a.authority, a.derived_from))
ORDER BY ALL
