-- Claims stated for the first time, each with the first row of the input that states it.
CREATE OR REPLACE TEMP TABLE new_claim AS
SELECT claim_no, min(row) AS row, any_value(predicate_id) AS predicate_id, any_value(subject_id) AS subject_id,
  any_value(scope_id) AS scope_id, any_value(source_id) AS source_id
FROM accepted AS a
WHERE row > 0 AND NOT EXISTS (FROM cb.statement AS t WHERE t.claim_no = a.claim_no)
GROUP BY claim_no
