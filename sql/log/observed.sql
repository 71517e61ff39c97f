-- A further reading of one claim, unless the log has it. A confirmation brings no quote: the one before it stands.
CREATE OR REPLACE TEMP TABLE new_entry AS
SELECT t.predicate_id, t.subject_id, t.scope_id, t.source_id, t.claim_no, $observed_at::TIMESTAMPTZ AS observed_at,
  NULL::BIGINT AS ordinal, $kind::VARCHAR AS kind, NULL::UBIGINT AS quote_id
FROM cb.statement AS t
WHERE t.claim_no = $claim_no AND NOT EXISTS (FROM cb.entry AS e WHERE e.claim_no = $claim_no
  AND e.observed_at = $observed_at AND e.kind = $kind)
