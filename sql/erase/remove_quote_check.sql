-- Remove what was found of its evidence.
DELETE FROM cb.quote_check WHERE evidence_id IN (SELECT evidence_id FROM cb.evidence WHERE claim_no = $claim_no)
