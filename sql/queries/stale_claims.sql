-- The stale claims, oldest first (Q9).
SELECT DISTINCT cb.claim_id(a.claim_no) AS claim_id, s.provider, s.name AS subject, p.name AS predicate, o.qualifiers AS scope,
  a.last_seen, a.stale_after, r.uri AS url
FROM cb.aged($valid_at, $observed_by, $recorded_by, $subjects, $predicates, $stale_days) AS a
JOIN cb.subject AS s USING (subject_id)
JOIN cb.predicate AS p USING (predicate_id)
JOIN cb.scope AS o USING (scope_id)
JOIN cb.source AS r USING (source_id)
WHERE a.stale ORDER BY a.last_seen, claim_id LIMIT $listed
