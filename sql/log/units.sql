-- Number units seen for the first time.
INSERT INTO cb.unit
SELECT (SELECT coalesce(max(unit_id), 0) FROM cb.unit) + row_number() OVER (ORDER BY unit), unit, dimension, $recorded_at
FROM (SELECT DISTINCT unit, dimension FROM staged WHERE problem IS NULL AND unit IS NOT NULL) AS n
WHERE NOT EXISTS (FROM cb.unit AS u WHERE u.name = n.unit)
