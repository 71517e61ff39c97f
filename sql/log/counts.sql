-- Claims said for the first time, further readings, and rows that say nothing new.
SELECT claims, said - claims, rows - said FROM (
  SELECT count(DISTINCT claim_no) FILTER (WHERE NOT EXISTS (FROM cb.entry AS e WHERE e.claim_no = n.claim_no AND e.kind = 'said')) AS claims,
    count(DISTINCT (claim_no, observed_at)) AS said,
    (SELECT count(*) FROM accepted WHERE row > 0 AND entry = 'said') AS rows
  FROM new_entry AS n WHERE kind = 'said' AND claim_no IN (SELECT claim_no FROM accepted WHERE row > 0 AND entry = 'said'))
