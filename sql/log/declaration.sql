-- Store a declaration; number 0 stands for a pack's scope words.
INSERT INTO cb.predicate_declaration
SELECT coalesce((SELECT predicate_id FROM cb.predicate WHERE name = $name), 0), $pack, $declaration, $recorded_at
