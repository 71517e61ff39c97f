-- Remove what cb.review holds of the claim.
DELETE FROM cb.review WHERE claim_no = $claim_no
