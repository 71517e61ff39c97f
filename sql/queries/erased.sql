-- Whether and why a claim was erased.
SELECT reason, recorded_at FROM cb.tombstone WHERE claim_no = $claim_no
