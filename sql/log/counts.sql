-- Claims said for the first time, further readings, rows that say nothing new, and new readings that an earlier correction or
-- retraction covers (B6).
SELECT claims, said - claims, rows - said, covered FROM (
  SELECT count(DISTINCT claim_no) FILTER (WHERE NOT EXISTS (FROM cb.entry AS e WHERE e.claim_no = n.claim_no AND e.kind = 'said')) AS claims,
    count(DISTINCT (claim_no, observed_at)) AS said,
    (SELECT count(*) FROM accepted WHERE row > 0 AND entry = 'said') AS rows,
    (SELECT count(*) FROM new_entry AS n SEMI JOIN cb.decision AS d ON d.claim_no = n.claim_no AND d.decided_at >= n.observed_at
      AND d.kind IN ('correct', 'retract') WHERE n.kind = 'said') AS covered
  FROM new_entry AS n WHERE kind = 'said' AND claim_no IN (SELECT claim_no FROM accepted WHERE row > 0 AND entry = 'said'))
