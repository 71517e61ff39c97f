-- Which steps of a load have anything to do: what the accepted rows bring that the base does not know, and how many were erased.
SELECT bool_or(p.predicate_id IS NULL) AS predicates, bool_or(s.subject_id IS NULL) AS subjects, bool_or(o.scope_id IS NULL) AS scopes,
  bool_or(u.unit_id IS NULL AND g.unit IS NOT NULL) AS units, bool_or(r.source_id IS NULL) AS sources, count(t.claim_no) AS erased
FROM staged AS g
LEFT JOIN cb.predicate AS p ON p.name = g.predicate
LEFT JOIN cb.subject AS s ON s.provider_key = g.provider_key AND s.name_key = g.subject_key
LEFT JOIN cb.scope AS o ON o.qualifiers = g.qualifiers
LEFT JOIN cb.unit AS u ON u.name = g.unit
LEFT JOIN cb.source AS r ON r.url_key = g.url_key
LEFT JOIN cb.tombstone AS t ON t.claim_no = g.claim_no
WHERE g.problem IS NULL
