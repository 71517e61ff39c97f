-- Log a decision about a claim (W6, B6).
INSERT INTO cb.decision BY NAME
SELECT $kind AS kind, $claim_no::UBIGINT AS claim_no, $other_no::UBIGINT AS other_no, $effective_at::TIMESTAMPTZ AS effective_at,
  $observed_at::TIMESTAMPTZ AS observed_at, $decided_at::TIMESTAMPTZ AS decided_at, $reason AS reason, $quote_id::UBIGINT AS quote_id,
  $recorded_at::TIMESTAMPTZ AS recorded_at
