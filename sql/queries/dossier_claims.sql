-- Claims at a basis, each by the version that holds at valid_at, else the one that begins last: what a receipt says of them.
WITH asked AS (SELECT unnest($claims::UBIGINT[]) AS claim_no),
ranked AS (
  SELECT v.*, row_number() OVER (PARTITION BY v.claim_no ORDER BY
    NOT ((v.from_earliest IS NULL OR v.from_earliest <= $valid_at) AND (v.until_latest IS NULL OR v.until_latest > $valid_at)),
    v.from_latest DESC NULLS LAST, v.from_earliest DESC NULLS LAST) AS place
  FROM cb.visible($observed_by, $recorded_by) AS v JOIN asked AS a ON a.claim_no = v.claim_no),
chosen AS MATERIALIZED (SELECT * FROM ranked WHERE place = 1)
SELECT cb.claim_id(c.claim_no) AS claim_id, s.provider, s.name AS subject, coalesce(sc.canonical_id, c.subject_id) AS subject_no,
  m.name AS predicate, coalesce(g.kind, 'text') AS kind, t.value, c.absent, r.source_key AS source_id, c.observed_at,
  coalesce(n.last_seen, c.observed_at) AS last_seen_at, coalesce(m.stale_after, 30)::INTEGER AS stale_after_days, t.normalized_value,
  t.stated_unit, u.name AS unit, w.value_key, c.value_min, c.value_max,
  o.qualifiers AS scope, t.effective_from,
  coalesce(t.effective_until, strftime(c.until_latest, '%Y-%m-%dT%H:%M:%SZ')) AS effective_until, q.confidence, q.reasoning, q.quote, q.selector
FROM chosen AS c
JOIN cb.subject AS s ON s.subject_id = c.subject_id
JOIN cb.statement AS t ON t.claim_no = c.claim_no
JOIN cb.scope AS o ON o.scope_id = c.scope_id
JOIN cb.source AS r ON r.source_id = c.source_id
JOIN cb.value AS w ON w.value_id = c.value_id
JOIN cb.quote AS q ON q.quote_id = c.quote_id
JOIN cb.meant($recorded_by) AS m ON m.predicate_id = c.predicate_id
LEFT JOIN cb.declared($recorded_by) AS g ON g.predicate_id = m.canonical_id
LEFT JOIN cb.canonical('subject', $recorded_by) AS sc ON sc.alias_id = c.subject_id
LEFT JOIN cb.unit AS u ON u.unit_id = c.unit_id
LEFT JOIN cb.last_seen($observed_by, $recorded_by, claims := $claims) AS n ON n.claim_no = c.claim_no
ORDER BY c.claim_no
