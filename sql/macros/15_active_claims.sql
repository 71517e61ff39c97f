-- Public: what holds at valid_at, as far as read by observed_by and held by recorded_by. FROM cb.active_claims('2026-03-01')
CREATE OR REPLACE MACRO cb.active_claims(valid_at := NULL, observed_by := NULL, recorded_by := NULL) AS TABLE
  WITH basis AS (
    SELECT cb.instant(valid_at) AS v, cb.past(observed_by, 'observed_by') AS o, cb.past(recorded_by, 'recorded_by') AS r)
  SELECT s.provider, s.name AS subject, p.name AS predicate, o.qualifiers AS scope, t.value, c.value_min, c.value_max, u.name AS unit,
    CASE WHEN c.absent THEN 'absent' ELSE 'stated' END AS polarity, CASE WHEN c.certain THEN 'certain' ELSE 'possible' END AS certainty,
    c.from_earliest, c.from_latest, c.until_earliest, c.until_latest, c.observed_at, q.quote, r.uri AS url, d.title, d.publisher,
    d.authority, cb.claim_id(c.claim_no) AS claim_id, coalesce(f.flags, []) AS flags
  FROM cb.active((SELECT b.v FROM basis AS b), (SELECT b.o FROM basis AS b), (SELECT b.r FROM basis AS b)) AS c
  LEFT JOIN cb.canonical('subject', (SELECT b.r FROM basis AS b)) AS a ON a.alias_id = c.subject_id
  JOIN cb.subject AS s ON s.subject_id = coalesce(a.canonical_id, c.subject_id)
  JOIN cb.meant((SELECT b.r FROM basis AS b)) AS p ON p.predicate_id = c.predicate_id
  JOIN cb.scope AS o ON o.scope_id = c.scope_id
  JOIN cb.source AS r ON r.source_id = c.source_id
  LEFT JOIN cb.statement AS t ON t.claim_no = c.claim_no
  LEFT JOIN cb.quote AS q ON q.quote_id = c.quote_id
  LEFT JOIN cb.unit AS u ON u.unit_id = c.unit_id
  LEFT JOIN cb.source_described((SELECT b.o FROM basis AS b), (SELECT b.r FROM basis AS b)) AS d ON d.source_id = c.source_id
  LEFT JOIN cb.flagged((SELECT b.o FROM basis AS b), (SELECT b.r FROM basis AS b)) AS f ON f.source_id = c.source_id
  ORDER BY s.provider, s.name, p.name, o.scope_id <> 0, o.qualifiers, c.claim_no, c.from_latest
