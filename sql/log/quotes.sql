-- Quotes not held yet, each from the first row of the input that shows it.
INSERT INTO cb.quote
SELECT n.quote_id, i.quote, n.selector, i.reasoning, i.confidence, $recorded_at
FROM (
  SELECT a.quote_id, min(a.row) AS row, any_value(g.selector) AS selector
  FROM accepted AS a JOIN staged AS g USING (row)
  WHERE a.entry = 'said' AND NOT EXISTS (FROM cb.quote AS q WHERE q.quote_id = a.quote_id)
  GROUP BY a.quote_id) AS n
JOIN incoming AS i USING (row)
