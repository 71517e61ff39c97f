-- New readings that an earlier correction or retraction covers (B6).
SELECT count(*) FROM new_entry AS n SEMI JOIN cb.decision AS d ON d.claim_no = n.claim_no AND d.decided_at >= n.observed_at
  AND d.kind IN ('correct', 'retract')
WHERE n.kind = 'said'
