-- Store declarations; number 0 stands for a pack's scope words.
INSERT INTO cb.predicate_declaration
SELECT coalesce(p.predicate_id, 0), n.pack, n.declaration, $recorded_at
FROM (SELECT unnest($packs::VARCHAR[]) AS pack, unnest($names::VARCHAR[]) AS name, unnest($bodies::VARCHAR[]) AS declaration,
  generate_subscripts($names::VARCHAR[], 1) AS place) AS n
LEFT JOIN cb.predicate AS p ON p.name = n.name
ORDER BY n.place
