-- Where the claim stood.
CREATE OR REPLACE TEMP TABLE erased_place AS
SELECT claim_no, predicate_id, subject_id, scope_id, source_id FROM cb.statement WHERE claim_no = $claim_no
