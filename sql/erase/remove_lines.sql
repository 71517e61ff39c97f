-- Remove the lines.
DELETE FROM cb.entry WHERE claim_no = $claim_no AND observed_at IN (SELECT observed_at FROM erased_line)
