-- Predicates that were given another name by a merge, with the name they stand for (P2).
SELECT c.alias_id, p.name FROM cb.canonical('predicate', $recorded_by) AS c
JOIN cb.predicate AS p ON p.predicate_id = c.canonical_id
WHERE list_contains($predicates, p.name) ORDER BY c.alias_id
