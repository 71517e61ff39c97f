-- Whether another decision about one of the claims was taken at the same instant: nobody could say which came first (B6).
SELECT EXISTS (FROM cb.decision AS d WHERE d.decided_at = $decided_at AND list_has_any([d.claim_no, d.other_no], $claims::UBIGINT[]))
