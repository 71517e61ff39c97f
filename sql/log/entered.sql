-- The one claim just entered: its numbers, its reading, the start it states.
SELECT a.claim_no, a.predicate_id, a.subject_id, a.scope_id, a.source_id, a.observed_at, a.quote_id, t.value,
  t.from_kind IN ('known', 'imprecise') AS dated, t.from_earliest, t.from_latest
FROM accepted AS a JOIN cb.statement AS t USING (claim_no) WHERE a.row = 1
