-- What each predicate was declared as, by recorded_by: aliases point to the (first) predicate that names them; undeclared ones are
-- single text (P1, P2).
CREATE OR REPLACE MACRO cb.declared(recorded_by) AS TABLE
  WITH newest AS (
    SELECT predicate_id, declaration::JSON AS body FROM (
      SELECT predicate_id, declaration, row_number() OVER (PARTITION BY predicate_id ORDER BY recorded_at DESC) AS age
      FROM cb.predicate_declaration AS d WHERE d.recorded_at <= recorded_by)
    WHERE age = 1),
  other_name AS (
    SELECT name, arg_min(predicate_id, declared_name) AS canonical_id FROM (
      SELECT predicate_id, body->>'$.name' AS declared_name, unnest(body->>'$.aliases[*].name') AS name FROM newest)
    GROUP BY name)
  SELECT p.predicate_id, coalesce(n.predicate_id, o.canonical_id, p.predicate_id) AS canonical_id, p.name,
    coalesce(b.body->>'$.kind', 'text') AS kind, b.body->>'$.unit' AS unit,
    coalesce(b.body->>'$.cardinality', 'single') = 'single' AS single,
    coalesce((b.body->>'$.tolerance')::DECIMAL(38, 12), 0) AS tolerance,
    coalesce((b.body->>'$.stale_after')::INTEGER, 30) AS stale_after,
    coalesce((b.body->>'$.closed_world')::BOOLEAN, false) AS closed_world,
    coalesce((b.body->>'$.timeless')::BOOLEAN, false) AS timeless,
    coalesce(b.body->>'$.requires[*]', []) AS requires
  FROM cb.predicate AS p
  LEFT JOIN newest AS n ON n.predicate_id = p.predicate_id
  LEFT JOIN other_name AS o ON o.name = p.name AND n.predicate_id IS NULL
  LEFT JOIN newest AS b ON b.predicate_id = coalesce(n.predicate_id, o.canonical_id)
