-- What judges said, from JSON.
INSERT INTO cb.support_check
SELECT r.claim_no, r.evidence_id, r.rubric, r.verdict, r.method, r.checker, r.evidence_span, r.cache_key, r.downgraded_from, r.note,
  $recorded_at
FROM (SELECT unnest(from_json($rows, '[{"claim_no": "UBIGINT", "evidence_id": "VARCHAR", "rubric": "VARCHAR", "verdict": "VARCHAR",
  "method": "VARCHAR", "checker": "VARCHAR", "evidence_span": "VARCHAR", "cache_key": "VARCHAR", "downgraded_from": "VARCHAR",
  "note": "VARCHAR"}]')) AS r)
ORDER BY r.cache_key
