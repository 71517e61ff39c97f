-- Quotes not held yet, each from the first row of the input that shows it.
INSERT INTO cb.quote
SELECT n.quote_id, g.quote, g.selector, g.reasoning, g.confidence, $recorded_at
FROM (
  SELECT quote_id, min(row) AS row FROM accepted AS a
  WHERE entry = 'said' AND row > 0 AND NOT EXISTS (FROM cb.quote AS q WHERE q.quote_id = a.quote_id)
  GROUP BY quote_id) AS n
JOIN staged AS g USING (row)
