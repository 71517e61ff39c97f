-- The quotes.
SELECT DISTINCT quote_id::VARCHAR AS quote_id, quote FROM cb.quote
