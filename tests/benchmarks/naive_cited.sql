-- The natural question to it: subjects for which each of four claims exists, and those claims.
WITH active AS (
  SELECT * FROM naive
  WHERE valid_from <= $t AND (valid_until IS NULL OR valid_until > $t) AND scope = '{}'
    AND observed_from <= $o AND (observed_until IS NULL OR observed_until > $o)
    AND recorded_at <= $o AND (retracted_at IS NULL OR retracted_at > $o)),
found AS (
  SELECT DISTINCT provider, subject FROM active AS a
  WHERE EXISTS (FROM active AS b WHERE b.subject = a.subject AND b.predicate = 'metric_00' AND b.value >= 150000)
    AND EXISTS (FROM active AS b WHERE b.subject = a.subject AND b.predicate = 'metric_01' AND b.value <= 350000)
    AND EXISTS (FROM active AS b WHERE b.subject = a.subject AND b.predicate = 'metric_02' AND b.value >= 100000)
    AND EXISTS (FROM active AS b WHERE b.subject = a.subject AND b.predicate = 'metric_03' AND b.value <= 400000))
SELECT provider, subject, predicate, value, quote, url, observed_from FROM active JOIN found USING (provider, subject)
WHERE predicate = 'metric_00' AND value >= 150000 OR predicate = 'metric_01' AND value <= 350000
  OR predicate = 'metric_02' AND value >= 100000 OR predicate = 'metric_03' AND value <= 400000
ORDER BY ALL
