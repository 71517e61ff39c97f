-- Reviews of some claims that were open at a basis, with what was decided about them since.
WITH decided AS (
  SELECT task_id, max_by(d, d.recorded_at) AS x FROM cb.review_decision AS d WHERE d.recorded_at <= $recorded_by GROUP BY task_id)
SELECT cb.task_id(w.claim_no, w.source_id, w.observed_at) AS task_id, cb.claim_id(w.claim_no) AS claim_id, w.reason,
  coalesce(d.x.decision, 'pending') AS decision, d.x.reviewer AS reviewer, d.x.note AS note, w.recorded_at
FROM cb.review AS w LEFT JOIN decided AS d ON d.task_id = cb.task_id(w.claim_no, w.source_id, w.observed_at)
WHERE list_contains($claims::UBIGINT[], w.claim_no) AND w.recorded_at <= $recorded_by AND w.observed_at <= $observed_by
  AND (d.x IS NOT NULL OR NOT EXISTS (FROM cb.entry AS e WHERE e.claim_no = w.claim_no AND e.kind <> 'unreachable'
    AND e.observed_at > w.observed_at AND e.observed_at <= $observed_by AND e.recorded_at <= $recorded_by))
ORDER BY task_id
