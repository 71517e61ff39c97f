-- Four constraints, two-valued: how many subjects meet all.
SELECT count(*) FROM (
  SELECT c.subject_id FROM __ACTIVE__ AS c
  WHERE c.scope_id = 0 AND (c.predicate_id = 1 AND c.value >= 150000 OR c.predicate_id = 2 AND c.value <= 350000
    OR c.predicate_id = 3 AND c.value >= 100000 OR c.predicate_id = 4 AND c.value <= 400000)
  GROUP BY c.subject_id HAVING count(DISTINCT c.predicate_id) = 4) AS f
