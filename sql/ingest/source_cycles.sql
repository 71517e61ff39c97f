-- Refuse the rows whose source, by what it and all others last said of themselves, restates itself in the end (R1).
UPDATE staged SET problem = ['EvidenceError.source_cycle', 'source: ' || uri || ' would be derived from itself by way of ' || derived_from]
WHERE problem IS NULL AND derived_from IS NOT NULL AND url_key IN (
  WITH RECURSIVE
  incoming_edge AS (
    SELECT DISTINCT url_key AS page, derived_from AS parent FROM staged WHERE problem IS NULL AND derived_from IS NOT NULL),
  edge AS (
    FROM incoming_edge
    UNION SELECT s.url_key, d.derived_from
    FROM cb.source_described($recorded_at, $recorded_at) AS d JOIN cb.source AS s ON s.source_id = d.source_id
    WHERE d.derived_from IS NOT NULL AND s.url_key NOT IN (SELECT url_key FROM staged)),
  reached AS (
    FROM incoming_edge
    UNION SELECT r.page, e.parent FROM reached AS r JOIN edge AS e ON e.page = r.parent)
  SELECT page FROM reached WHERE page = parent)
