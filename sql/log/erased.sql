-- Claims of the input that were erased.
SELECT DISTINCT g.claim_no FROM staged AS g SEMI JOIN cb.tombstone AS t USING (claim_no) WHERE g.problem IS NULL ORDER BY g.claim_no
