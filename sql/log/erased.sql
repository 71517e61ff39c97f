-- Claims of the input that were erased, each with the number of its rows.
SELECT g.claim_no, count(*) AS rows FROM staged AS g SEMI JOIN cb.tombstone AS t USING (claim_no)
WHERE g.problem IS NULL GROUP BY g.claim_no ORDER BY g.claim_no
