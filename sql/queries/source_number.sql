-- The number of the source with an id.
SELECT source_id FROM cb.source WHERE source_key = $source_id
