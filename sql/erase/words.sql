-- The words and values the claim was given in.
CREATE OR REPLACE TEMP TABLE erased_word AS
SELECT quote_id, NULL::UBIGINT AS value_id FROM cb.entry WHERE claim_no = $claim_no
UNION SELECT quote_id, value_id FROM cb.claim WHERE claim_no = $claim_no
UNION SELECT quote_id, NULL FROM cb.decision WHERE other_no = $claim_no
UNION SELECT NULL, value_id FROM cb.meaning WHERE claim_no = $claim_no
