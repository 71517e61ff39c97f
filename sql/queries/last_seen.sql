-- When some claims were last seen, within the basis (Q9).
SELECT claim_no, last_seen FROM cb.last_seen($observed_by, $recorded_by, claims := $claims)
