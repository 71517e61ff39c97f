-- The quotes of rows that hold so far, and whether each row names the source that a text was read from.
SELECT g.row, i.quote, g.url_key = r.url_key AS same_source
FROM staged AS g JOIN incoming AS i USING (row), cb.snapshot AS t JOIN cb.source AS r ON r.source_id = t.source_id
WHERE t.snapshot_id = $snapshot_id AND g.problem IS NULL AND g.entry = 'said' ORDER BY g.row
