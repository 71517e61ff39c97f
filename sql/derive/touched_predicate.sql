-- Touch every slot of some predicates.
INSERT INTO touched
SELECT DISTINCT e.predicate_id, e.subject_id, e.scope_id
FROM cb.entry AS e JOIN cb.predicate AS p USING (predicate_id) WHERE list_contains($names, p.name)
