-- Remove its words where no other claim rests on them.
DELETE FROM cb.quote WHERE quote_id IN (SELECT quote_id FROM erased_word)
  AND NOT EXISTS (FROM cb.entry AS e WHERE e.quote_id = quote.quote_id AND e.claim_no <> $claim_no)
  AND NOT EXISTS (FROM cb.claim AS c WHERE c.quote_id = quote.quote_id)
  AND NOT EXISTS (FROM cb.decision AS d WHERE d.quote_id = quote.quote_id AND d.other_no <> $claim_no)
