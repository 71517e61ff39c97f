-- Every name of a subject or predicate that stands for another one, followed to the one it stands for now (P2).
CREATE OR REPLACE MACRO cb.canonical(kind_of_name, recorded_by) AS TABLE
  WITH RECURSIVE standing AS (
    SELECT alias_id, canonical_id FROM cb.renamed(kind_of_name, recorded_by)),
  followed AS (
    SELECT alias_id, canonical_id FROM standing
    UNION SELECT f.alias_id, s.canonical_id FROM followed AS f JOIN standing AS s ON s.alias_id = f.canonical_id)
  SELECT alias_id, canonical_id FROM followed AS f
  WHERE NOT EXISTS (FROM standing AS s WHERE s.alias_id = f.canonical_id)
