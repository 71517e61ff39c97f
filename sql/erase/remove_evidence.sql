-- Remove what cb.evidence holds of the claim.
DELETE FROM cb.evidence WHERE claim_no = $claim_no
