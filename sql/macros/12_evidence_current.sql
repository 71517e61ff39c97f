-- Evidence a basis can see: bound by then to a text read by then, and not retired (evidence §4.1). With its newest check.
CREATE OR REPLACE MACRO cb.evidence_current(observed_by, recorded_by) AS TABLE
  WITH read AS (
    SELECT f.snapshot_id, min(f.fetched_at) AS first_read_at, max(f.fetched_at) AS last_read_at FROM cb.fetch AS f
    WHERE cb.countable(f.disposition) AND f.fetched_at <= observed_by AND f.recorded_at <= recorded_by
    GROUP BY f.snapshot_id),
  fate AS (
    SELECT e.evidence_id, arg_max(e.event, e.recorded_at) AS event FROM cb.evidence_event AS e
    WHERE e.recorded_at <= recorded_by GROUP BY e.evidence_id),
  checked AS (
    SELECT c.evidence_id, max_by(c, c.recorded_at) AS x FROM cb.quote_check AS c WHERE c.recorded_at <= recorded_by
    GROUP BY c.evidence_id)
  SELECT v.*, r.first_read_at, r.last_read_at, x.rule AS rule, x.status AS status, x.tier AS tier, x.ratio AS ratio,
    x.match_start AS match_start, x.match_end AS match_end, x.closest AS closest, x.changes AS changes, x.flags AS flags,
    x.found_in AS found_in
  FROM cb.evidence AS v
  JOIN read AS r ON r.snapshot_id = v.snapshot_id
  LEFT JOIN fate AS f ON f.evidence_id = v.evidence_id
  LEFT JOIN checked AS k ON k.evidence_id = v.evidence_id
  WHERE v.recorded_at <= recorded_by AND coalesce(f.event, '') <> 'retired'
