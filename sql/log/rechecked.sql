-- What a page read again says of the claims that rest on it, from JSON, unless the log has it. A confirmation brings no quote.
CREATE OR REPLACE TEMP TABLE new_entry AS
SELECT t.predicate_id, t.subject_id, t.scope_id, t.source_id, t.claim_no, $observed_at::TIMESTAMPTZ AS observed_at,
  NULL::BIGINT AS ordinal, r.kind, NULL::UBIGINT AS quote_id
FROM (SELECT unnest(from_json($rows, '[{"claim_no": "UBIGINT", "kind": "VARCHAR"}]')) AS r)
JOIN cb.statement AS t ON t.claim_no = r.claim_no
WHERE NOT EXISTS (FROM cb.entry AS e WHERE e.claim_no = r.claim_no AND e.observed_at = $observed_at AND e.kind = r.kind)
