-- What a source read whole says just before a new listing and at the stored reading after it: one row per claim and moment.
CREATE OR REPLACE TEMP TABLE listing_state AS
WITH reading AS (
  SELECT w.observed_at, s.source_id,
    (SELECT min(r.observed_at) FROM cb.reading AS r WHERE r.source_id = s.source_id AND r.outcome = 'read'
      AND r.observed_at > w.observed_at) AS after
  FROM whole_reading AS w JOIN cb.source AS s USING (url_key)),
standing AS (
  SELECT g.observed_at, g.after, g.source_id, e.claim_no, any_value(e.predicate_id) AS predicate_id,
    any_value(e.subject_id) AS subject_id, any_value(e.scope_id) AS scope_id,
    max(ROW(e.observed_at, coalesce(e.ordinal, -1), e.kind)) FILTER (WHERE e.observed_at < g.observed_at)[3] IS NOT DISTINCT FROM 'said' AS before_said,
    max(ROW(e.observed_at, coalesce(e.ordinal, -1), e.kind)) FILTER (WHERE e.observed_at <= g.after)[3] IS NOT DISTINCT FROM 'said' AS after_said
  FROM reading AS g JOIN cb.entry AS e USING (source_id)
  WHERE e.kind IN ('said', 'gone')
  GROUP BY g.observed_at, g.after, g.source_id, e.claim_no)
SELECT coalesce(s.observed_at, g.observed_at) AS observed_at, coalesce(s.after, g.after) AS after,
  coalesce(s.source_id, g.source_id) AS source_id, coalesce(s.claim_no, a.claim_no) AS claim_no,
  coalesce(s.predicate_id, a.predicate_id) AS predicate_id, coalesce(s.subject_id, a.subject_id) AS subject_id,
  coalesce(s.scope_id, a.scope_id) AS scope_id, a.claim_no IS NOT NULL AS listed,
  coalesce(s.before_said, false) AS before_said, coalesce(s.after_said, false) AS after_said
FROM standing AS s
FULL JOIN (SELECT DISTINCT claim_no, predicate_id, subject_id, scope_id, source_id FROM accepted WHERE entry = 'said') AS a
  ON a.claim_no = s.claim_no
LEFT JOIN reading AS g ON g.source_id = a.source_id
