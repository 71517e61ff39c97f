-- A seeded world of $claims claims in slots of $per claims: two sources tell a slot's succession of values, day by day; one value in a hundred differs.
COPY (
  WITH drawn AS (
    SELECT i, i // $per AS slot, i % 2 AS source, (i % $per) // 2 AS step, hash(i) % 100 = 0 AS odd FROM range($claims) AS r(i))
  SELECT 'Provider' AS provider, 'Subject ' || slot AS subject, 'metric_00' AS predicate,
    (1000 * (1 + hash(slot * 7 + step) % 500 + CASE WHEN odd THEN 500 ELSE 0 END))::VARCHAR AS value,
    (DATE '1990-01-01' + step::INTEGER)::VARCHAR AS effective_from, (DATE '1990-01-01' + (step + 1)::INTEGER)::VARCHAR AS effective_until,
    '2023-06-01T08:00:00Z' AS observed_at, 'Row ' || i AS quote, 'https://site' || source || '.example/' AS source_url,
    'Site ' || source AS source_publisher, 'pricing' AS source_type
  FROM drawn ORDER BY hash(i))
TO '__PATH__' (FORMAT parquet)
