-- Remove what events say of its evidence.
DELETE FROM cb.evidence_event WHERE evidence_id IN (SELECT evidence_id FROM cb.evidence WHERE claim_no = $claim_no)
