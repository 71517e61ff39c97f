-- Public: how a subject's values went, coalesced, with the status of each segment as of valid_at. FROM cb.history('Claude Sonnet 4.5', 'context_window')
CREATE OR REPLACE MACRO cb.history(subject, predicate := NULL, provider := NULL, valid_at := NULL, observed_by := NULL, recorded_by := NULL) AS TABLE
  WITH basis AS (
    SELECT cb.instant(valid_at) AS v, cb.past(observed_by, 'observed_by') AS o, cb.past(recorded_by, 'recorded_by') AS r),
  subjects AS (
    SELECT coalesce(list(DISTINCT coalesce(a.canonical_id, n.subject_id)::INTEGER), []) AS ids
    FROM cb.subject AS n
    LEFT JOIN cb.canonical('subject', (SELECT b.r FROM basis AS b)) AS a ON a.alias_id = n.subject_id
    WHERE n.name_key = cb.folded(subject) AND (provider IS NULL OR n.provider_key = cb.folded(provider))),
  predicates AS (
    SELECT CASE WHEN predicate IS NOT NULL THEN coalesce(list(DISTINCT m.canonical_id), []) END AS ids
    FROM cb.meant((SELECT b.r FROM basis AS b)) AS m
    JOIN cb.predicate AS p ON p.predicate_id = m.predicate_id
    WHERE p.name = predicate)
  SELECT s.provider, s.name AS subject, p.name AS predicate, o.qualifiers AS scope, t.value, u.name AS unit,
    CASE WHEN g.absent THEN 'absent' ELSE 'stated' END AS polarity, g.status, g.doubt, g.certain_from, g.certain_until, g.possible_from,
    g.possible_until, g.claims, g.sources, q.quote, r.uri AS url, cb.claim_id(g.spokesman) AS claim_id
  FROM cb.segments((SELECT b.v FROM basis AS b), (SELECT b.o FROM basis AS b), (SELECT b.r FROM basis AS b),
    (SELECT ids FROM subjects), (SELECT ids FROM predicates)) AS g
  JOIN cb.subject AS s ON s.subject_id = g.subject_id
  JOIN cb.predicate AS p ON p.predicate_id = g.predicate_id
  JOIN cb.scope AS o ON o.scope_id = g.scope_id
  JOIN cb.claim AS c ON c.version_id = g.spokesman_version
  JOIN cb.source AS r ON r.source_id = c.source_id
  LEFT JOIN cb.statement AS t ON t.claim_no = g.spokesman
  LEFT JOIN cb.quote AS q ON q.quote_id = c.quote_id
  LEFT JOIN cb.unit AS u ON u.unit_id = c.unit_id
  ORDER BY s.provider, s.name, p.name, o.scope_id <> 0, o.qualifiers, g.span_from, g.possible_from NULLS FIRST, g.status, g.spokesman
