-- Slots whose versions may change: those of the new entries, and those with an entry at the next reading after a new one of a
-- source read whole, since the reading before it moved.
CREATE OR REPLACE TEMP TABLE touched AS
SELECT DISTINCT predicate_id, subject_id, scope_id FROM new_entry
UNION
SELECT DISTINCT e.predicate_id, e.subject_id, e.scope_id
FROM (
  SELECT n.source_id, min(r.observed_at) AS observed_at
  FROM new_reading AS n JOIN cb.reading AS r ON r.source_id = n.source_id AND r.observed_at > n.observed_at
  WHERE n.source_id IN (SELECT source_id FROM cb.source_mode WHERE whole)
  GROUP BY n.source_id, n.observed_at) AS late
JOIN cb.entry AS e ON e.source_id = late.source_id AND e.observed_at = late.observed_at
