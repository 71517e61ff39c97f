-- One claim as stated, by its number, if its source ever said it.
SELECT claim_no, predicate_id, subject_id, scope_id, source_id FROM cb.statement AS t
WHERE claim_no = $claim_no AND EXISTS (FROM cb.entry AS e WHERE e.claim_no = t.claim_no AND e.kind = 'said')
