-- The rows refused so far, with code, message and the text it speaks of, in the order of the input.
SELECT row, problem[1] AS code, problem[2] AS message, problem[3] AS given FROM staged WHERE problem IS NOT NULL ORDER BY row
