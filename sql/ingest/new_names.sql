-- Names of accepted rows that the base does not know yet.
SELECT DISTINCT n.name, n.name_key FROM name_read AS n
WHERE n.code IS NULL AND NOT EXISTS (FROM cb.subject AS s WHERE s.name_key = n.name_key OR s.provider_key = n.name_key)
ORDER BY ALL
