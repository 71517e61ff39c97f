-- How many claims and subjects each predicate has, as named.
SELECT p.name, count(t.claim_no) AS claims, count(DISTINCT t.subject_id) AS subjects
FROM cb.predicate AS p LEFT JOIN cb.statement AS t USING (predicate_id) GROUP BY p.name ORDER BY p.name
