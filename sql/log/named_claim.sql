-- A claim as stated, with the names of its slot, its newest reading, and how its standing versions lie.
SELECT t.claim_no, t.predicate_id, t.subject_id, t.scope_id, t.source_id, t.value, t.stated_unit, t.absent, t.complete, t.from_kind, t.from_earliest,
  t.from_latest, t.until_kind, t.until_earliest, t.until_latest, s.provider, s.name AS subject, o.qualifiers, w.quote, w.selector, p.name AS predicate,
  r.uri AS url, coalesce(d.timeless, false) AS timeless,
  (SELECT max(e.observed_at) FROM cb.entry AS e WHERE e.claim_no = t.claim_no AND e.kind = 'said') AS newest_reading,
  (SELECT min(e.observed_at) FROM cb.entry AS e WHERE e.claim_no = t.claim_no AND e.kind = 'said') AS first_reading,
  (SELECT count(*) FROM cb.claim AS c WHERE c.claim_no = t.claim_no AND c.retracted_at IS NULL) AS versions,
  (SELECT bool_or(c.observed_until IS NULL) FROM cb.claim AS c WHERE c.claim_no = t.claim_no AND c.retracted_at IS NULL) AS standing,
  (SELECT nullif(min(coalesce(c.from_earliest, '-infinity')), '-infinity'::TIMESTAMPTZ) FROM cb.claim AS c
    WHERE c.claim_no = t.claim_no AND c.retracted_at IS NULL AND c.observed_until IS NULL) AS begins,
  (SELECT nullif(max(coalesce(c.until_latest, 'infinity')), 'infinity'::TIMESTAMPTZ)
    FROM cb.claim AS c WHERE c.claim_no = t.claim_no AND c.retracted_at IS NULL AND c.observed_until IS NULL) AS ends,
  EXISTS (FROM cb.decision AS d WHERE d.claim_no = t.claim_no AND d.kind IN ('correct', 'retract')) AS decided
FROM cb.statement AS t
JOIN cb.subject AS s USING (subject_id)
JOIN cb.predicate AS p USING (predicate_id)
JOIN cb.source AS r USING (source_id)
JOIN cb.scope AS o USING (scope_id)
LEFT JOIN cb.quote AS w ON w.quote_id = coalesce(
  (SELECT arg_max(e.quote_id, (e.observed_at, e.quote_id)) FROM cb.entry AS e WHERE e.claim_no = t.claim_no AND e.kind = 'said'),
  (SELECT min(d.quote_id) FROM cb.decision AS d WHERE d.other_no = t.claim_no))
LEFT JOIN cb.declared($recorded_at) AS d USING (predicate_id)
WHERE t.claim_no = $claim_no
  -- a removal told before its claim waits in the log: there is nothing to decide about yet
  AND (EXISTS (FROM cb.entry AS e WHERE e.claim_no = t.claim_no AND e.kind = 'said')
    OR EXISTS (FROM cb.decision AS d WHERE d.other_no = t.claim_no))
