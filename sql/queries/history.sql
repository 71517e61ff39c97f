-- The segments of some slots, in the order of their time (H1).
SELECT s.provider, s.name AS subject, p.name AS predicate, o.qualifiers AS scope, g.status, g.doubt, g.certain_from, g.certain_until,
  g.possible_from, g.possible_until, g.ever_certain, g.open_end, g.versions, list_sort(g.became) AS became
FROM cb.segments($valid_at, $observed_by, $recorded_by, $subjects, $predicates) AS g
JOIN cb.subject AS s USING (subject_id)
JOIN cb.predicate AS p USING (predicate_id)
JOIN cb.scope AS o USING (scope_id)
ORDER BY s.provider, s.name, p.name, o.scope_id <> 0, o.qualifiers, g.span_from, g.possible_from NULLS FIRST, g.status, g.spokesman
