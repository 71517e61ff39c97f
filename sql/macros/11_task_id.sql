-- The id of an open review: made of its claim, its source and the reading that opened it.
CREATE OR REPLACE MACRO cb.task_id(claim_no, source_id, observed_at) AS
  't_' || left(sha256(concat_ws('|', cb.claim_id(claim_no), source_id, epoch_us(observed_at))), 16)
