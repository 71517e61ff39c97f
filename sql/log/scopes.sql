-- Number scopes seen for the first time; the empty scope is 0.
INSERT INTO cb.scope
SELECT CASE WHEN qualifiers = '{}' THEN 0
    ELSE (SELECT coalesce(max(scope_id), 0) FROM cb.scope) + row_number() OVER (ORDER BY qualifiers = '{}', qualifiers) END,
  qualifiers, $recorded_at
FROM (SELECT DISTINCT qualifiers FROM staged WHERE problem IS NULL) AS n
WHERE NOT EXISTS (FROM cb.scope AS s WHERE s.qualifiers = n.qualifiers)
