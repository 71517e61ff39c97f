-- A seeded world of $claims claims: about 106 a subject, 40 predicates of uneven popularity, histories of up to 20 intervals from up to 4 sources, 15 % gaps.
COPY (
  WITH drawn AS (
    SELECT i, i // 106 AS s, (40 * pow((hash(i * 7) % 100000) / 100000.0, 2))::INTEGER AS p, hash(i * 3) % 20 AS step
    FROM range($claims) AS r(i)),
  placed AS (
    SELECT *, hash(s + p) % 50 AS shift, hash(s * 41 + p * 17 + step + (hash(i * 19) % 100 < 4)::INTEGER) % 500 AS figure, (hash(i * 17) % (1 + hash(s) % 4)) AS source
    FROM drawn)
  SELECT 'Provider ' || (s % 50) AS provider, 'Subject ' || s AS subject, 'metric_' || lpad(p::VARCHAR, 2, '0') AS predicate,
    (figure * 1000)::VARCHAR AS value,
    (DATE '2020-01-01' + (step * 60 + shift)::INTEGER)::VARCHAR AS effective_from,
    CASE WHEN step < 19 AND hash(i * 11) % 100 < 97
      THEN (DATE '2020-01-01' + ((step + 1) * 60 + shift - CASE WHEN hash(i * 5) % 100 < 15 THEN 10 ELSE 0 END)::INTEGER)::VARCHAR
    END AS effective_until,
    strftime(DATE '2023-06-01' + (hash(i * 13) % 120)::INTEGER * 7, '%Y-%m-%dT08:00:00Z') AS observed_at,
    'Row ' || (i % 1000) || ' of the table gives ' || figure * 1000 || ' tokens for subject ' || s || ' under metric ' || p
      || ', in the edition that was read on the day named beside it, without a footnote.' AS quote,
    'https://site' || source || '.example/page' || (s % 200) AS source_url, 'Site ' || source AS source_publisher,
    'pricing' AS source_type
  FROM placed ORDER BY hash(i))
TO '__PATH__' (FORMAT parquet)
