-- Open reviews: of claims whose page was found changed, not read again since and not decided about; newest first.
WITH decided AS (
  SELECT task_id, max_by(d, d.recorded_at) AS x FROM cb.review_decision AS d WHERE d.recorded_at <= $recorded_by GROUP BY task_id)
SELECT cb.task_id(w.claim_no, w.source_id, w.observed_at) AS task_id, cb.claim_id(w.claim_no) AS claim_id, s.provider, s.name AS subject,
  p.name AS predicate, t.value, r.uri AS url, w.observed_at, w.reason, coalesce(d.x.decision, 'pending') AS decision,
  d.x.reviewer AS reviewer, d.x.note AS note, w.recorded_at
FROM cb.review AS w
JOIN cb.statement AS t ON t.claim_no = w.claim_no
JOIN cb.subject AS s ON s.subject_id = t.subject_id
JOIN cb.predicate AS p ON p.predicate_id = t.predicate_id
JOIN cb.source AS r ON r.source_id = w.source_id
LEFT JOIN decided AS d ON d.task_id = cb.task_id(w.claim_no, w.source_id, w.observed_at)
WHERE w.recorded_at <= $recorded_by AND coalesce(d.x.decision, 'pending') IN ('pending', 'escalate')
  AND NOT EXISTS (FROM cb.entry AS e WHERE e.claim_no = w.claim_no AND e.kind <> 'unreachable' AND e.observed_at > w.observed_at
    AND e.recorded_at <= $recorded_by)
  AND NOT EXISTS (FROM cb.decision AS d WHERE d.claim_no = w.claim_no AND d.recorded_at > w.recorded_at AND d.recorded_at <= $recorded_by)
ORDER BY w.observed_at DESC, w.claim_no
