-- Everything a reader needs to check a claim (Q4): words, value, source as it described itself at the basis, bounds, when last seen.
WITH asked AS (SELECT unnest($versions::BIGINT[]) AS version_id),
chosen AS MATERIALIZED (SELECT c.* FROM cb.claim AS c JOIN asked AS a ON a.version_id = c.version_id)
SELECT c.version_id, cb.claim_id(c.claim_no) AS claim_id, s.provider, s.name AS subject, p.name AS predicate, o.qualifiers AS scope,
  t.value, w.value_key, c.value_min, c.value_max, u.name AS unit,
  CASE WHEN c.absent THEN 'absent' ELSE 'stated' END AS polarity, c.complete, t.effective_from, t.effective_until,
  c.from_earliest, c.from_latest, c.until_earliest, c.until_latest, c.observed_at, n.last_seen, c.recorded_at, c.retracted_at,
  q.quote, q.selector, q.reasoning, q.confidence, r.source_key AS source_id, r.uri AS url, d.title,
  d.publisher, d.published_at, d.source_type, d.authority,
  d.derived_from, c.source_id AS source_no
FROM chosen AS c
JOIN cb.subject AS s ON s.subject_id = c.subject_id
JOIN cb.predicate AS p ON p.predicate_id = c.predicate_id
JOIN cb.scope AS o ON o.scope_id = c.scope_id
JOIN cb.source AS r ON r.source_id = c.source_id
LEFT JOIN cb.source_described($observed_by, $recorded_by) AS d ON d.source_id = c.source_id
LEFT JOIN cb.statement AS t ON t.claim_no = c.claim_no
LEFT JOIN cb.value AS w ON w.value_id = c.value_id
LEFT JOIN cb.quote AS q ON q.quote_id = c.quote_id
LEFT JOIN cb.unit AS u ON u.unit_id = c.unit_id
LEFT JOIN cb.last_seen($observed_by, $recorded_by, claims := (SELECT list(claim_no) FROM chosen)) AS n ON n.claim_no = c.claim_no
