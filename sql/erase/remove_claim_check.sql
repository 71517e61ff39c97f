-- Remove what cb.claim_check holds of the claim.
DELETE FROM cb.claim_check WHERE claim_no = $claim_no
