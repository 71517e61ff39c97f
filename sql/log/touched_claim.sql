-- Touch the slot of one claim.
CREATE OR REPLACE TEMP TABLE touched AS
SELECT predicate_id, subject_id, scope_id FROM cb.statement WHERE claim_no = $claim_no
