-- Open a review: a page was found changed and nobody said to what (W2).
INSERT INTO cb.review SELECT claim_no, source_id, $observed_at, $reason, $recorded_at FROM cb.statement WHERE claim_no = $claim_no
