-- Every distinct provider and subject text.
SELECT DISTINCT name FROM (SELECT provider AS name FROM incoming UNION ALL SELECT subject FROM incoming) WHERE name IS NOT NULL
