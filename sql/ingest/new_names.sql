-- Names that the base does not know yet.
SELECT DISTINCT name FROM name_read
ANTI JOIN (SELECT name_key FROM cb.subject UNION ALL SELECT provider_key FROM cb.subject) USING (name_key)
WHERE code IS NULL ORDER BY name
