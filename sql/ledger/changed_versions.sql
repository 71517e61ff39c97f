-- The versions a batch inserted and retracted, by claim and start.
SELECT CASE WHEN recorded_at = $recorded_at THEN 'inserted' ELSE 'retracted' END AS change, cb.claim_id(claim_no) AS claim_id,
  from_earliest, from_latest, until_earliest, until_latest, observed_at, observed_from, observed_until
FROM cb.claim WHERE recorded_at = $recorded_at OR retracted_at = $recorded_at
ORDER BY claim_no, from_latest NULLS FIRST, observed_from, change
