-- Canonical ids of the predicates with these names or aliases (P2).
SELECT DISTINCT coalesce(a.canonical_id, d.canonical_id)::SMALLINT AS predicate_id
FROM cb.declared($recorded_by) AS d
LEFT JOIN cb.canonical('predicate', $recorded_by) AS a ON a.alias_id = d.canonical_id
WHERE list_contains($names, d.name)
ORDER BY 1
