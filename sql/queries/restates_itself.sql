-- Whether a source would be derived from itself in the end if it were derived from another (R1).
WITH RECURSIVE edge AS (
  SELECT s.url_key AS page, d.derived_from AS parent
  FROM cb.source_described($recorded_by, $recorded_by) AS d JOIN cb.source AS s ON s.source_id = d.source_id
  WHERE d.derived_from IS NOT NULL AND s.url_key <> $page),
reached AS (
  SELECT $parent AS page
  UNION SELECT e.parent FROM reached AS r JOIN edge AS e ON e.page = r.page)
SELECT count(*) FROM reached WHERE page = $page
