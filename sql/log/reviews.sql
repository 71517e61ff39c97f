-- Open reviews for claims whose words changed or went, from JSON, unless they are open already.
INSERT INTO cb.review
SELECT t.claim_no, t.source_id, $observed_at, r.reason, $recorded_at
FROM (SELECT unnest(from_json($rows, '[{"claim_no": "UBIGINT", "reason": "VARCHAR"}]')) AS r)
JOIN cb.statement AS t ON t.claim_no = r.claim_no
WHERE NOT EXISTS (FROM cb.review AS w WHERE w.claim_no = r.claim_no AND w.observed_at = $observed_at)
