-- Every reading of one claim, oldest first.
SELECT e.observed_at, CASE e.kind WHEN 'said' THEN 'confirmed' WHEN 'gone' THEN 'quote_missing' ELSE e.kind END AS outcome,
  q.quote, e.recorded_at
FROM cb.entry AS e LEFT JOIN cb.quote AS q ON q.quote_id = e.quote_id
WHERE e.claim_no = $claim_no ORDER BY e.observed_at, e.kind, e.recorded_at
