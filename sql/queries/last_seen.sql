-- When some claims were last seen, within the basis (Q9); as microseconds, which are read much faster.
-- claims: their numbers as a JSON list, which is read much faster than a list of parameters.
WITH asked AS MATERIALIZED (SELECT unnest(from_json($claims, '["UBIGINT"]')) AS number)
SELECT s.claim_no, epoch_us(s.last_seen) AS last_seen
FROM cb.last_seen($observed_by, $recorded_by) AS s SEMI JOIN asked AS a ON a.number = s.claim_no
