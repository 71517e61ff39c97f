-- Readings not held yet: those of the entries, and those a whole reading brought although nothing changed.
CREATE OR REPLACE TEMP TABLE new_reading AS
SELECT source_id, observed_at, outcome, bool_or(whole) AS whole, max(declared_version) AS declared_version
FROM (
  SELECT source_id, observed_at, CASE WHEN kind = 'unreachable' THEN 'unreachable' ELSE 'read' END AS outcome,
    false AS whole, NULL AS declared_version
  FROM new_entry
  UNION ALL
  SELECT s.source_id, w.observed_at, 'read', true, w.declared_version
  FROM whole_reading AS w JOIN cb.source AS s ON s.url_key = w.url_key) AS n
WHERE NOT EXISTS (FROM cb.reading AS r
  WHERE r.source_id = n.source_id AND r.observed_at = n.observed_at AND r.outcome = n.outcome AND (r.whole OR NOT n.whole))
GROUP BY source_id, observed_at, outcome
