-- Number subjects seen for the first time; of several spellings the least is shown.
INSERT INTO cb.subject
SELECT (SELECT coalesce(max(subject_id), 0) FROM cb.subject) + row_number() OVER (ORDER BY provider_key, subject_key),
  provider, subject, provider_key, subject_key, $recorded_at
FROM (SELECT provider_key, subject_key, min(provider) AS provider, min(subject) AS subject
  FROM staged WHERE problem IS NULL GROUP BY provider_key, subject_key) AS n
WHERE NOT EXISTS (FROM cb.subject AS s WHERE s.provider_key = n.provider_key AND s.name_key = n.subject_key)
