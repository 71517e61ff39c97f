-- The instants after one and up to another at which something was written that may concern claims of some predicates.
WITH ours AS (
    SELECT m.predicate_id FROM cb.meant($until) AS m WHERE list_contains($predicates, m.name)),
  entries AS (SELECT e.source_id, e.recorded_at FROM cb.entry AS e SEMI JOIN ours USING (predicate_id)),
  written AS (
    SELECT recorded_at AS moment FROM entries
    UNION ALL SELECT c.recorded_at FROM cb.claim AS c SEMI JOIN ours USING (predicate_id)
    UNION ALL SELECT c.retracted_at FROM cb.claim AS c SEMI JOIN ours USING (predicate_id)
    UNION ALL SELECT r.recorded_at FROM cb.reading AS r SEMI JOIN entries USING (source_id)
    UNION ALL SELECT a.recorded_at FROM cb.source_attribute AS a SEMI JOIN entries USING (source_id)
    UNION ALL SELECT m.recorded_at FROM cb.source_mode AS m SEMI JOIN entries USING (source_id)
    UNION ALL SELECT recorded_at FROM cb.decision
    UNION ALL SELECT recorded_at FROM cb.tombstone
    UNION ALL SELECT recorded_at FROM cb.withdrawal
    UNION ALL SELECT recorded_at FROM cb.alias
    UNION ALL SELECT recorded_at FROM cb.predicate_declaration)
SELECT DISTINCT moment FROM written WHERE moment > $after AND moment <= $until ORDER BY moment
