-- Every name of a subject or predicate that stands for another one, followed to the one it stands for now (P2).
CREATE OR REPLACE MACRO cb.canonical(kind_of_name, recorded_by) AS TABLE
  WITH RECURSIVE standing AS (
    SELECT alias_id, canonical_id FROM (
      SELECT alias_id, canonical_id, revoked, row_number() OVER (PARTITION BY alias_id ORDER BY recorded_at DESC) AS age
      FROM cb.alias AS a WHERE a.kind = kind_of_name AND a.recorded_at <= recorded_by)
    WHERE age = 1 AND NOT revoked),
  followed AS (
    SELECT alias_id, canonical_id FROM standing
    UNION SELECT f.alias_id, s.canonical_id FROM followed AS f JOIN standing AS s ON s.alias_id = f.canonical_id)
  SELECT alias_id, canonical_id FROM followed AS f
  WHERE NOT EXISTS (FROM standing AS s WHERE s.alias_id = f.canonical_id)
