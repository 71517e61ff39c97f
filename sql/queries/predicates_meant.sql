-- What predicates of these names stand for: canonical number and declared name (P2).
SELECT p.name AS asked, m.canonical_id, m.name
FROM cb.meant($recorded_by) AS m JOIN cb.predicate AS p ON p.predicate_id = m.predicate_id
WHERE list_contains($names, p.name)
ORDER BY p.name
