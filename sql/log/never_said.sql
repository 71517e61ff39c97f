-- What the source never said cannot be gone.
DELETE FROM accepted AS a WHERE a.entry = 'gone'
  AND NOT EXISTS (FROM cb.statement AS t WHERE t.claim_no = a.claim_no)
  AND a.claim_no NOT IN (SELECT claim_no FROM accepted WHERE entry = 'said')
