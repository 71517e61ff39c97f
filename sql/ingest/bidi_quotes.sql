-- Accepted rows whose quotes hold a mark that turns the direction of reading (X4); none is a mark of one byte.
SELECT row FROM staged JOIN incoming AS i USING (row)
WHERE problem IS NULL AND strlen(i.quote) <> length(i.quote) AND regexp_matches(i.quote, '[\x{061C}\x{200E}\x{200F}\x{202A}-\x{202E}\x{2066}-\x{2069}]')
ORDER BY row
