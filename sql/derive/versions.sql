-- The derived versions with their numbers: what the touched slots should hold.
CREATE OR REPLACE TEMP TABLE version AS
SELECT t.predicate_id, t.subject_id, t.scope_id, t.source_id, d.claim_no, d.quote_id,
  m.value_min, m.value_max, m.value_id, m.unit_id, t.absent, t.complete, m.min_open, m.max_open,
  t.from_kind IN ('known', 'imprecise') AS dated, t.until_kind <> 'open' AS bounded,
  d.from_earliest, d.from_latest, d.until_earliest, d.until_latest, d.observed_at, d.observed_from, d.observed_until
FROM derived AS d
JOIN cb.statement AS t USING (claim_no)
JOIN cb.meaning AS m USING (claim_no)
WHERE NOT EXISTS (FROM cb.meaning AS n WHERE n.claim_no = m.claim_no AND n.recorded_at > m.recorded_at)
