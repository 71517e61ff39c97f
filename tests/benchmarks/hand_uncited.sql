-- The best hand-written shape of a two-valued conjunction: one branch a constraint, bits grouped by subject.
WITH hit AS (__BRANCHES__)
SELECT subject_id FROM hit GROUP BY subject_id HAVING bit_or(bit) = $mask ORDER BY subject_id
