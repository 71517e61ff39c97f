-- The qualifiers of some scopes.
SELECT scope_id, qualifiers FROM cb.scope WHERE list_contains($numbers, scope_id)
