-- Live evidence of some claims at a basis, by claim and rank, with the words withheld where they were erased.
SELECT v.evidence_id, cb.claim_id(v.claim_no) AS claim_id, r.source_key AS source_id, v.snapshot_id, v.role, v.rank, v.quote, v.prefix,
  v.suffix, v.start_char, v.end_char, v.page, v.observed_value, v.reasoning, v.selector,
  t.text IS NULL AND t.text_sha256 IS NOT NULL AS erased
FROM cb.evidence_current($observed_by, $recorded_by) AS v
JOIN cb.snapshot AS t ON t.snapshot_id = v.snapshot_id
JOIN cb.source AS r ON r.source_id = t.source_id
WHERE list_contains($claims::UBIGINT[], v.claim_no)
ORDER BY v.claim_no, v.rank, v.evidence_id
