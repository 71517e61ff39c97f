-- Every version of one claim ever recorded, with its words and its source, in the order of their recording.
SELECT cb.claim_id(c.claim_no) AS claim_id, s.provider, s.name AS subject, p.name AS predicate, o.qualifiers AS scope,
  t.value, w.value_key, c.value_min, c.value_max, u.name AS unit,
  CASE WHEN c.absent THEN 'absent' ELSE 'stated' END AS polarity, t.effective_from, t.effective_until,
  c.from_earliest, c.from_latest, c.until_earliest, c.until_latest,
  c.observed_at, c.observed_from, c.observed_until, c.recorded_at, c.retracted_at, x.kind AS retraction,
  q.quote, q.selector, q.reasoning, q.confidence, r.uri AS url, r.source_key AS source_id,
  d.title, d.publisher, d.published_at, d.source_type, d.authority, d.derived_from, coalesce(f.flags, []) AS flags
FROM cb.claim AS c
JOIN cb.subject AS s ON s.subject_id = c.subject_id
JOIN cb.predicate AS p ON p.predicate_id = c.predicate_id
JOIN cb.scope AS o ON o.scope_id = c.scope_id
JOIN cb.statement AS t ON t.claim_no = c.claim_no
JOIN cb.value AS w ON w.value_id = c.value_id
JOIN cb.quote AS q ON q.quote_id = c.quote_id
JOIN cb.source AS r ON r.source_id = c.source_id
LEFT JOIN cb.source_described($observed_by, $recorded_by) AS d ON d.source_id = c.source_id
LEFT JOIN cb.flagged($observed_by, $recorded_by) AS f ON f.source_id = c.source_id
LEFT JOIN cb.unit AS u ON u.unit_id = c.unit_id
LEFT JOIN cb.retraction AS x ON x.version_id = c.version_id
WHERE c.claim_no = $claim_no
ORDER BY c.recorded_at, c.observed_from
