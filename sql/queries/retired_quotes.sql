-- Claims whose own quote was taken out of use.
SELECT DISTINCT cb.claim_id(v.claim_no) AS claim_id, v.quote FROM cb.evidence AS v
WHERE list_contains($claims::UBIGINT[], v.claim_no) AND v.recorded_at <= $recorded_by
  AND (SELECT arg_max(e.event, e.recorded_at) FROM cb.evidence_event AS e
    WHERE e.evidence_id = v.evidence_id AND e.recorded_at <= $recorded_by) = 'retired'
