-- Open reviews: of claims whose page was found changed, not read again since and not decided about; newest first.
SELECT cb.claim_id(w.claim_no) AS claim_id, s.provider, s.name AS subject, p.name AS predicate, t.value, r.uri AS url, w.observed_at,
  w.reason, w.recorded_at
FROM cb.review AS w
JOIN cb.statement AS t ON t.claim_no = w.claim_no
JOIN cb.subject AS s ON s.subject_id = t.subject_id
JOIN cb.predicate AS p ON p.predicate_id = t.predicate_id
JOIN cb.source AS r ON r.source_id = w.source_id
WHERE NOT EXISTS (FROM cb.entry AS e WHERE e.claim_no = w.claim_no AND e.kind <> 'unreachable' AND e.observed_at > w.observed_at)
  AND NOT EXISTS (FROM cb.decision AS d WHERE d.claim_no = w.claim_no AND d.recorded_at > w.recorded_at)
ORDER BY w.observed_at DESC, w.claim_no
