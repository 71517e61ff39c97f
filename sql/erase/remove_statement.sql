-- Remove what was stated in the claim.
DELETE FROM cb.statement WHERE claim_no = $claim_no
