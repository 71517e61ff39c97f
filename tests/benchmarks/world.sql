-- A seeded world of $claims readings: about 106 a subject, 40 predicates of uneven popularity, histories of up to 20 steps from up to 4 sources, 15 % gaps.
-- Three slots in five are undated, their steps are told by the days of their readings; one bound in five is a month; one slot in ten has a scope.
COPY (
  WITH drawn AS (
    SELECT i, i // 106 AS s, (40 * pow((hash(i * 7) % 100000) / 100000.0, 2))::INTEGER AS p, hash(i * 3) % 20 AS step
    FROM range($claims) AS r(i)),
  placed AS (
    SELECT *, hash(s + p) % 50 AS shift, hash(s * 41 + p * 17 + step + (hash(i * 19) % 100 < 4)::INTEGER) % 500 AS figure, (hash(i * 17) % (1 + hash(s) % 4)) AS source,
      hash(s * 5 + p * 3) % 5 < 3 AS undated, hash(s * 11 + p * 7) % 10 = 0 AS scoped
    FROM drawn),
  dated AS (
    SELECT *, DATE '2020-01-01' + (step * 60 + shift)::INTEGER AS begins,
      CASE WHEN step < 19 AND hash(i * 11) % 100 < 97
        THEN DATE '2020-01-01' + ((step + 1) * 60 + shift - CASE WHEN hash(i * 5) % 100 < 15 THEN 10 ELSE 0 END)::INTEGER END AS ends
    FROM placed)
  SELECT 'Provider ' || (s % 50) AS provider, 'Subject ' || s AS subject, 'metric_' || lpad(p::VARCHAR, 2, '0') AS predicate,
    CASE WHEN scoped THEN '{"mode": "batch"}' END AS scope,
    (figure * 1000)::VARCHAR AS value,
    CASE WHEN NOT undated THEN CASE WHEN hash(i * 23) % 5 = 0 THEN strftime(begins, '%Y-%m') ELSE begins::VARCHAR END END AS effective_from,
    CASE WHEN NOT undated THEN CASE WHEN hash(i * 29) % 5 = 0 AND ends > begins + 31 THEN strftime(ends, '%Y-%m') ELSE ends::VARCHAR END END AS effective_until,
    CASE WHEN undated THEN strftime(begins, '%Y-%m-%dT08:00:00Z')
      ELSE strftime(DATE '2023-06-01' + (hash(i * 13) % 120)::INTEGER * 7, '%Y-%m-%dT08:00:00Z') END AS observed_at,
    'Row ' || (i % 1000) || ' of the table gives ' || figure * 1000 || ' tokens for subject ' || s || ' under metric ' || p
      || ', in the edition that was read on the day named beside it, without a footnote.' AS quote,
    'https://site' || source || '.example/page' || (s % 200) AS source_url, 'Site ' || source AS source_publisher,
    'pricing' AS source_type
  FROM dated WHERE __PART__ ORDER BY hash(i))
TO '__PATH__' (FORMAT parquet)
