-- Every version of one claim ever recorded, in the order of their recording.
SELECT c.* EXCLUDE (claim_no, subject_id, predicate_id, scope_id, source_no)
FROM (
  SELECT 'c_' || lpad(lower(to_hex(c.claim_no)), 16, '0') AS claim_id, s.provider, s.name AS subject, p.name AS predicate,
    o.qualifiers AS scope, t.value, c.value_min, c.value_max, u.name AS unit,
    CASE WHEN c.absent THEN 'absent' ELSE 'stated' END AS polarity, t.effective_from, t.effective_until,
    c.from_earliest, c.from_latest, c.until_earliest, c.until_latest,
    c.observed_at, c.observed_from, c.observed_until, c.recorded_at, c.retracted_at, x.kind AS retraction,
    q.quote, q.selector, q.reasoning, q.confidence, r.uri AS url, r.source_key AS source_id,
    c.claim_no, c.subject_id, c.predicate_id, c.scope_id, c.source_id AS source_no
  FROM cb.claim AS c
  JOIN cb.subject AS s ON s.subject_id = c.subject_id
  JOIN cb.predicate AS p ON p.predicate_id = c.predicate_id
  JOIN cb.scope AS o ON o.scope_id = c.scope_id
  JOIN cb.statement AS t ON t.claim_no = c.claim_no
  JOIN cb.quote AS q ON q.quote_id = c.quote_id
  JOIN cb.source AS r ON r.source_id = c.source_id
  LEFT JOIN cb.unit AS u ON u.unit_id = c.unit_id
  LEFT JOIN cb.retraction AS x ON x.version_id = c.version_id
  WHERE c.claim_no = $claim_no) AS c
ORDER BY recorded_at, observed_from
