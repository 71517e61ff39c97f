-- Predicates of accepted rows that the base does not know yet.
SELECT DISTINCT predicate FROM staged WHERE problem IS NULL AND NOT EXISTS (FROM cb.predicate AS p WHERE p.name = predicate)
ORDER BY ALL
