-- Remove what cb.support_check holds of the claim.
DELETE FROM cb.support_check WHERE claim_no = $claim_no
