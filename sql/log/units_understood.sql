-- Number units that reading again brought.
INSERT INTO cb.unit
SELECT (SELECT coalesce(max(unit_id), 0) FROM cb.unit) + row_number() OVER (ORDER BY unit), unit, dimension, $recorded_at
FROM (SELECT DISTINCT unit, dimension FROM understood WHERE unit IS NOT NULL) AS n
WHERE NOT EXISTS (FROM cb.unit AS u WHERE u.name = n.unit)
