-- What the claims of some predicates say, as written.
SELECT p.name, t.claim_no, t.value, t.normalized_value, t.stated_unit
FROM cb.statement AS t JOIN cb.predicate AS p USING (predicate_id)
WHERE list_contains($names, p.name) AND NOT t.absent ORDER BY t.claim_no
