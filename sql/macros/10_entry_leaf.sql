-- The digest that stands for one line of the log in its batch's root (G6).
CREATE OR REPLACE MACRO cb.entry_leaf(claim_no, predicate_id, subject_id, scope_id, source_id, observed_at, ordinal, kind, quote_id) AS
  sha256(concat_ws('|', 'entry', claim_no, predicate_id, subject_id, scope_id, source_id, epoch_us(observed_at),
    coalesce(ordinal::VARCHAR, '-'), kind, coalesce(quote_id::VARCHAR, '-')))
