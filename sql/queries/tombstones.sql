-- What was erased of some slots, whatever the basis: place, reason and instant.
SELECT cb.claim_id(t.claim_no) AS claim_id, s.provider, s.name AS subject, p.name AS predicate, o.qualifiers AS scope, r.uri AS url,
  t.reason, t.recorded_at AS erased_at
FROM cb.tombstone AS t
LEFT JOIN cb.canonical('subject', $recorded_by) AS a ON a.alias_id = t.subject_id
JOIN cb.subject AS s ON s.subject_id = coalesce(a.canonical_id, t.subject_id)
JOIN cb.meant($recorded_by) AS m ON m.predicate_id = t.predicate_id
JOIN cb.predicate AS p ON p.predicate_id = m.canonical_id
JOIN cb.scope AS o ON o.scope_id = t.scope_id
JOIN cb.source AS r ON r.source_id = t.source_id
WHERE ($subjects IS NULL OR list_contains($subjects, s.subject_id))
  AND ($predicates IS NULL OR list_contains($predicates, p.predicate_id))
ORDER BY s.provider, s.name, p.name, o.qualifiers, t.claim_no
