-- Every name of a subject or predicate that was given to another one and not taken from it since, as the merge named it (P2).
CREATE OR REPLACE MACRO cb.renamed(kind_of_name, recorded_by) AS TABLE
  SELECT alias_id, canonical_id FROM (
    SELECT alias_id, canonical_id, revoked, row_number() OVER (PARTITION BY alias_id ORDER BY recorded_at DESC) AS age
    FROM cb.alias AS a WHERE a.kind = kind_of_name AND a.recorded_at <= recorded_by)
  WHERE age = 1 AND NOT revoked
