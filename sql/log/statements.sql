-- What the new claims say.
INSERT INTO cb.statement
SELECT n.claim_no, n.predicate_id, n.subject_id, n.scope_id, n.source_id, g.absent, g.complete, g.value,
  i.normalized_value, i.unit, i.effective_from, coalesce(i.effective_until, 'through ' || i.effective_through),
  g.from_kind, g.until_kind, g.from_earliest, g.from_latest, g.until_earliest, g.until_latest, $recorded_at
FROM new_claim AS n JOIN staged AS g USING (row) JOIN incoming AS i USING (row)
