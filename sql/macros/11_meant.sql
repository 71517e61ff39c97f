-- What each predicate means now: the predicate it stands for, and how that one was declared (P1, P2).
CREATE OR REPLACE MACRO cb.meant(recorded_by) AS TABLE
  SELECT n.predicate_id, c.predicate_id AS canonical_id, c.name, c.kind IN ('quantity', 'date', 'bool') AS numeric,
    c.single, c.tolerance, c.stale_after, c.requires
  FROM cb.declared(recorded_by) AS n
  LEFT JOIN cb.canonical('predicate', recorded_by) AS a ON a.alias_id = n.canonical_id
  JOIN cb.declared(recorded_by) AS c ON c.predicate_id = coalesce(a.canonical_id, n.canonical_id)
