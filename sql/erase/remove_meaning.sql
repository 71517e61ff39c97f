-- Remove what was understood of the claim.
DELETE FROM cb.meaning WHERE claim_no = $claim_no
