-- When some claims were last seen, within the basis (Q9); as microseconds, which are read much faster.
SELECT claim_no, epoch_us(last_seen) AS last_seen FROM cb.last_seen($observed_by, $recorded_by, claims := $claims)
