-- Bind quotes to texts as read, from JSON; what is bound already stays as it is.
INSERT INTO cb.evidence
SELECT r.evidence_id, r.claim_no, r.snapshot_id, r.role,
  coalesce(r.rank, 1 + (SELECT coalesce(max(v.rank), 0) FROM cb.evidence AS v WHERE v.claim_no = r.claim_no)), r.quote, r.prefix,
  r.suffix, r.page, r.start_char, r.end_char, r.bbox, r.selector, r.observed_value, r.reasoning, r.minted_by, $recorded_at
FROM (SELECT unnest(from_json($rows, '[{"evidence_id": "VARCHAR", "claim_no": "UBIGINT", "snapshot_id": "VARCHAR", "role": "VARCHAR",
  "rank": "INTEGER", "quote": "VARCHAR", "prefix": "VARCHAR", "suffix": "VARCHAR", "page": "INTEGER", "start_char": "BIGINT",
  "end_char": "BIGINT", "bbox": ["DOUBLE"], "selector": "VARCHAR", "observed_value": "VARCHAR", "reasoning": "VARCHAR",
  "minted_by": "VARCHAR"}]')) AS r)
WHERE NOT EXISTS (FROM cb.evidence AS v WHERE v.evidence_id = r.evidence_id)
ORDER BY r.evidence_id
