-- History, coalesced (H1, H3): per slot and equal value, certain intervals that meet are one segment, and so are possible ones that never
-- become certain; withdrawn claims, as far as recorded_by knew of it, stand apart. Status as of valid_at.
CREATE OR REPLACE MACRO cb.segments(valid_at, observed_by, recorded_by, subject_ids, predicate_ids) AS TABLE
  WITH withdrawn AS (
    SELECT c.* REPLACE (coalesce(s.canonical_id, c.subject_id)::INTEGER AS subject_id, m.canonical_id AS predicate_id), r.kind AS became
    FROM cb.retraction AS r
    JOIN cb.claim AS c ON c.version_id = r.version_id
    JOIN cb.meant(recorded_by) AS m ON m.predicate_id = c.predicate_id
    LEFT JOIN cb.canonical('subject', recorded_by) AS s ON s.alias_id = c.subject_id
    WHERE r.recorded_at <= recorded_by AND r.kind <> 'replaced'
      AND c.observed_from <= observed_by AND (c.observed_until IS NULL OR c.observed_until > observed_by)
      AND (subject_ids IS NULL OR list_contains(subject_ids, coalesce(s.canonical_id, c.subject_id)::INTEGER))
      AND (predicate_ids IS NULL OR list_contains(predicate_ids, m.canonical_id))),
  shown AS (
    SELECT *, became IS NOT NULL AS is_withdrawn,
      from_latest IS NOT NULL AND (until_earliest IS NULL OR from_latest < until_earliest) AS sure,
      coalesce(from_earliest, '-infinity'::TIMESTAMPTZ) AS begins,
      CASE WHEN until_earliest IS NULL OR until_latest IS NULL THEN 'infinity'::TIMESTAMPTZ ELSE until_latest END AS ends
    FROM (
      SELECT *, NULL AS became FROM cb.spoken(observed_by, recorded_by, subject_ids, predicate_ids)
      UNION ALL BY NAME SELECT * FROM withdrawn)),
  spans AS (
    SELECT *, CASE WHEN sure THEN from_latest ELSE begins END AS span_from,
      CASE WHEN NOT sure THEN ends ELSE coalesce(until_earliest, 'infinity'::TIMESTAMPTZ) END AS span_until,
      a.certain AS certain_now, a.certain IS NOT NULL AS possible_now
    FROM shown
    LEFT JOIN (SELECT version_id, certain FROM cb.active(valid_at, observed_by, recorded_by)) AS a USING (version_id)),
  -- a value with one start only is a segment of its own: windows are for the others, whose starts are made unique first, for two windows
  -- over tied starts give changing answers
  several AS (
    SELECT subject_id, predicate_id, scope_id, value_id, absent, is_withdrawn, sure FROM spans
    GROUP BY ALL HAVING min(span_from) < max(span_from)),
  starts AS (
    SELECT subject_id, predicate_id, scope_id, value_id, absent, is_withdrawn, sure, span_from, max(span_until) AS span_until
    FROM spans SEMI JOIN several USING (subject_id, predicate_id, scope_id, value_id, absent, is_withdrawn, sure) GROUP BY ALL),
  breaks AS (
    SELECT *, (span_from > coalesce(max(span_until) OVER (w ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), '-infinity'::TIMESTAMPTZ))::INTEGER AS fresh
    FROM starts
    WINDOW w AS (PARTITION BY subject_id, predicate_id, scope_id, value_id, absent, is_withdrawn, sure ORDER BY span_from)),
  numbered AS (
    SELECT * EXCLUDE (span_until, fresh), sum(fresh) OVER (PARTITION BY subject_id, predicate_id, scope_id, value_id, absent, is_withdrawn, sure
      ORDER BY span_from ROWS UNBOUNDED PRECEDING) AS segment
    FROM breaks),
  -- why an active claim is only possible (Q1)
  members AS (
    SELECT s.*, coalesce(n.segment, 0) AS segment, CASE
      WHEN certain_now OR NOT possible_now THEN NULL
      WHEN until_earliest <= valid_at AND bounded THEN 'end unknown'
      WHEN until_earliest <= valid_at AND until_latest IS NULL THEN 'unconfirmed'
      WHEN until_earliest <= valid_at OR NOT dated AND from_earliest IS NOT NULL THEN 'between readings'
      ELSE 'start unknown' END AS doubt
    FROM spans AS s
    LEFT JOIN numbered AS n USING (subject_id, predicate_id, scope_id, value_id, absent, is_withdrawn, sure, span_from))
  SELECT subject_id, predicate_id, scope_id, value_id, absent,
    CASE WHEN is_withdrawn THEN 'retracted' WHEN bool_or(possible_now) THEN 'current'
      WHEN min(begins) > valid_at THEN 'upcoming' ELSE 'historical' END AS status,
    CASE WHEN NOT is_withdrawn AND NOT bool_or(certain_now) THEN arg_max(doubt, (observed_at, claim_no)) END AS doubt,
    CASE WHEN sure THEN min(from_latest) END AS certain_from,
    CASE WHEN sure THEN nullif(max(coalesce(until_earliest, 'infinity'::TIMESTAMPTZ)), 'infinity'::TIMESTAMPTZ) END AS certain_until,
    nullif(min(begins), '-infinity'::TIMESTAMPTZ) AS possible_from,
    nullif(max(ends), 'infinity'::TIMESTAMPTZ) AS possible_until,
    sure AS ever_certain, bool_or(until_earliest IS NULL) AS open_end,
    len(list_distinct(list(claim_no))) AS claims, len(list_distinct(list(source_id))) AS sources,
    list(version_id ORDER BY claim_no, span_from) AS versions, list_distinct(list(became) FILTER (became IS NOT NULL)) AS became,
    arg_max(claim_no, (observed_at, claim_no)) AS spokesman,
    arg_max(version_id, (observed_at, claim_no, span_from)) AS spokesman_version, min(span_from) AS span_from
  FROM members
  GROUP BY subject_id, predicate_id, scope_id, value_id, absent, is_withdrawn, sure, segment
