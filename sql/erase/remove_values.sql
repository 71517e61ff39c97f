-- Remove its value where no other claim has it.
DELETE FROM cb.value WHERE value_id IN (SELECT value_id FROM erased_word)
  AND NOT EXISTS (FROM cb.meaning AS m WHERE m.value_id = value.value_id AND m.claim_no <> $claim_no)
  AND NOT EXISTS (FROM cb.claim AS c WHERE c.value_id = value.value_id)
