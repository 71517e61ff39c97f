-- Every distinct instant of a reading or a publication.
SELECT DISTINCT moment FROM (
  SELECT observed_at AS moment FROM incoming UNION ALL SELECT source_published_at FROM incoming)
WHERE moment IS NOT NULL
