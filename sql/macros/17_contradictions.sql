-- Public: pairs of claims that cannot both hold, newest reading first in each slot. all_time looks beyond valid_at; since and before name a window.
-- FROM cb.contradictions() · FROM cb.contradictions(all_time := true)
CREATE OR REPLACE MACRO cb.contradictions(valid_at := NULL, observed_by := NULL, recorded_by := NULL, all_time := false, since := NULL, before := NULL) AS TABLE
  WITH basis AS (
    SELECT cb.past(observed_by, 'observed_by') AS o, cb.past(recorded_by, 'recorded_by') AS r,
      CASE WHEN since IS NOT NULL THEN cb.instant(since) WHEN NOT all_time AND before IS NULL THEN cb.instant(valid_at) END AS s,
      CASE WHEN before IS NOT NULL THEN cb.instant(before)
        WHEN NOT all_time AND since IS NULL THEN cb.instant(valid_at) + to_microseconds(1) END AS e),
  pair AS (
    SELECT * FROM cb.disputes((SELECT b.o FROM basis AS b), (SELECT b.r FROM basis AS b),
      (SELECT CASE WHEN b.s >= b.e THEN error('the window [' || since::VARCHAR || ', ' || before::VARCHAR || ') is empty') ELSE b.s END FROM basis AS b),
      (SELECT b.e FROM basis AS b), NULL, NULL, false)),
  -- the newest reading first, ties by claim: never by arrival (C16)
  sides AS (
    SELECT x.*, {value: t.value, url: r.uri, observed_at: c.observed_at, claim_no: c.claim_no} AS one,
      {value: y.value, url: z.uri, observed_at: d.observed_at, claim_no: d.claim_no} AS two,
      c.observed_at > d.observed_at OR c.observed_at = d.observed_at AND c.claim_no <= d.claim_no AS in_order
    FROM pair AS x
    LEFT JOIN cb.claim AS c ON c.version_id = x.version_id
    LEFT JOIN cb.claim AS d ON d.version_id = x.other_version
    LEFT JOIN cb.source AS r ON r.source_id = c.source_id
    LEFT JOIN cb.source AS z ON z.source_id = d.source_id
    LEFT JOIN cb.statement AS t ON t.claim_no = x.claim_no
    LEFT JOIN cb.statement AS y ON y.claim_no = x.other_no),
  ordered AS (
    SELECT * EXCLUDE (one, two), CASE WHEN in_order THEN one ELSE two END AS newer, CASE WHEN in_order THEN two ELSE one END AS older
    FROM sides)
  SELECT s.provider, s.name AS subject, p.name AS predicate, o.qualifiers AS scope, x.kind, x.disputed_from, x.disputed_until,
    newer.value AS value, newer.url AS url, newer.observed_at AS observed_at, older.value AS other_value, older.url AS other_url,
    older.observed_at AS other_observed_at, x.suggested_end, cb.claim_id(newer.claim_no) AS claim_id,
    cb.claim_id(older.claim_no) AS other_claim_id, x.pairs
  FROM ordered AS x
  JOIN cb.subject AS s ON s.subject_id = x.subject_id
  JOIN cb.predicate AS p ON p.predicate_id = x.predicate_id
  JOIN cb.scope AS o ON o.scope_id = x.scope_id
  ORDER BY s.provider, s.name, p.name, o.scope_id <> 0, o.qualifiers, newer.observed_at DESC NULLS LAST, newer.claim_no, older.claim_no,
    x.disputed_from NULLS FIRST
