-- Say what became of them: what a decision of this batch made of the claim's reading, else merely replaced (B1).
INSERT INTO cb.retraction
SELECT o.version_id, o.claim_no,
  coalesce(CASE d.kind WHEN 'correct' THEN 'corrected' WHEN 'retract' THEN 'retracted' WHEN 'erase' THEN 'erased' END, 'replaced'),
  d.reason, d.other_no, $recorded_at
FROM difference AS o
LEFT JOIN cb.decision AS d ON d.claim_no = o.claim_no AND d.recorded_at = $recorded_at AND d.kind IN ('correct', 'retract', 'erase')
  AND d.decided_at >= o.observed_at
WHERE o.version_id IS NOT NULL ORDER BY o.version_id
