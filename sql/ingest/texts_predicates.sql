-- Every distinct predicate text.
SELECT DISTINCT predicate FROM incoming WHERE predicate IS NOT NULL
