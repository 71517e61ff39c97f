-- A claim as stated, with the names of its slot, its newest reading, and how its standing versions lie.
WITH said AS (
  SELECT max(observed_at) AS newest_reading, min(observed_at) AS first_reading, arg_max(quote_id, (observed_at, quote_id)) AS quote_id
  FROM cb.entry WHERE claim_no = $claim_no AND kind = 'said'),
standing AS (
  SELECT count(*) AS versions, bool_or(observed_until IS NULL) AS standing,
    nullif(min(coalesce(from_earliest, '-infinity')) FILTER (WHERE observed_until IS NULL), '-infinity'::TIMESTAMPTZ) AS begins,
    nullif(max(coalesce(until_latest, 'infinity')) FILTER (WHERE observed_until IS NULL), 'infinity'::TIMESTAMPTZ) AS ends
  FROM cb.claim WHERE claim_no = $claim_no AND retracted_at IS NULL),
decided AS (
  SELECT count(*) FILTER (WHERE claim_no = $claim_no AND kind IN ('correct', 'retract')) > 0 AS decided,
    count(*) FILTER (WHERE other_no = $claim_no) > 0 AS named, min(quote_id) FILTER (WHERE other_no = $claim_no) AS quote_id
  FROM cb.decision)
SELECT t.claim_no, t.predicate_id, t.subject_id, t.scope_id, t.source_id, t.value, t.stated_unit, t.absent, t.complete, t.from_kind, t.from_earliest,
  t.from_latest, t.until_kind, t.until_earliest, t.until_latest, s.provider, s.name AS subject, o.qualifiers, w.quote, w.selector, p.name AS predicate,
  r.uri AS url, coalesce(d.timeless, false) AS timeless, e.newest_reading, e.first_reading, v.versions, v.standing, v.begins, v.ends, x.decided
FROM cb.statement AS t
CROSS JOIN said AS e
CROSS JOIN standing AS v
CROSS JOIN decided AS x
JOIN cb.subject AS s USING (subject_id)
JOIN cb.predicate AS p USING (predicate_id)
JOIN cb.source AS r USING (source_id)
JOIN cb.scope AS o USING (scope_id)
LEFT JOIN cb.quote AS w ON w.quote_id = coalesce(e.quote_id, x.quote_id)
LEFT JOIN cb.declared($recorded_at) AS d USING (predicate_id)
-- a removal told before its claim waits in the log: there is nothing to decide about yet
WHERE t.claim_no = $claim_no AND (e.newest_reading IS NOT NULL OR x.named)
