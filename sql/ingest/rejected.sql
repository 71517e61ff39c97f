-- The rows refused so far, with code and message, in the order of the input.
SELECT row, problem[1] AS code, problem[2] AS message FROM staged WHERE problem IS NOT NULL ORDER BY row
