-- The verdict that stands on each claim and quote: of each rubric the newest within the basis.
SELECT claim_id, evidence_id, x.verdict AS verdict, x.method AS method, x.checker AS checker, x.evidence_span AS span,
  x.downgraded_from AS downgraded_from
FROM (
  SELECT cb.claim_id(s.claim_no) AS claim_id, s.evidence_id, s.rubric, max_by(s, s.recorded_at) AS x FROM cb.support_check AS s
  WHERE list_contains($claims::UBIGINT[], s.claim_no) AND s.recorded_at <= $recorded_by
  GROUP BY s.claim_no, s.evidence_id, s.rubric)
ORDER BY claim_id, evidence_id, rubric
