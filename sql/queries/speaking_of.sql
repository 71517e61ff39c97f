-- The sources that say anything of some subjects within a basis, withdrawn ones included; subjects by canonical number.
WITH chosen AS (SELECT unnest($subjects::INTEGER[]) AS subject_id)
SELECT n.subject_id, list(DISTINCT r.source_key ORDER BY r.source_key) AS sources
FROM (
  SELECT coalesce(s.canonical_id, v.subject_id)::INTEGER AS subject_id, v.source_id
  FROM cb.visible($observed_by, $recorded_by) AS v LEFT JOIN cb.canonical('subject', $recorded_by) AS s ON s.alias_id = v.subject_id) AS n
SEMI JOIN chosen AS c ON c.subject_id = n.subject_id
JOIN cb.source AS r ON r.source_id = n.source_id
GROUP BY n.subject_id ORDER BY n.subject_id
