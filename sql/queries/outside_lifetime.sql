-- Claims that run past the lifetime of their subject (K9), the first ones; n counts all.
SELECT cb.claim_id(x.claim_no) AS claim_id, s.provider, s.name AS subject, p.name AS predicate, o.qualifiers AS scope,
  x.outside_from, x.outside_until, count(*) OVER () AS n
FROM cb.outside_lifetime($observed_by, $recorded_by, $since, $before, $subjects, $predicates) AS x
JOIN cb.subject AS s USING (subject_id)
JOIN cb.predicate AS p USING (predicate_id)
JOIN cb.scope AS o USING (scope_id)
ORDER BY s.provider, s.name, p.name, o.scope_id <> 0, o.qualifiers, x.claim_no, x.outside_from LIMIT $listed
