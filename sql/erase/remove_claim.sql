-- Remove every version of the claim.
DELETE FROM cb.claim WHERE claim_no = $claim_no
