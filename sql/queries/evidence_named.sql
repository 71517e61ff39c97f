-- Whether there is evidence with an id.
SELECT evidence_id, claim_no FROM cb.evidence WHERE evidence_id = $evidence_id
