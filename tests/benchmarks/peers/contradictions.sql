-- Slots with more than one value at one instant.
SELECT count(*) FROM (
  SELECT c.subject_id FROM __ACTIVE__ AS c GROUP BY c.subject_id, c.predicate_id, c.scope_id HAVING min(c.value) <> max(c.value)) AS f
