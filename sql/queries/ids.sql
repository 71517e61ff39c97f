-- The numbers of what a question names: its predicates, all units, its scopes; whether anything has been given another name (P2), or any source was withdrawn (R2).
SELECT 'predicate' AS kind, predicate_id::BIGINT AS id, name FROM cb.predicate WHERE list_contains($predicates, name)
UNION ALL SELECT 'unit', unit_id, name FROM cb.unit WHERE list_contains($units, name)
UNION ALL SELECT 'scope', scope_id, qualifiers FROM cb.scope WHERE list_contains($scopes, qualifiers)
UNION ALL SELECT 'renamed', count(*), kind FROM cb.alias WHERE recorded_at <= $recorded_by GROUP BY kind
UNION ALL SELECT 'withdrawn', source_id, '' FROM cb.withdrawn($recorded_by)
