-- The claims that an answer shows (Q4): bounds, words, quote; instants as microseconds and numbers as text, which are read much faster.
WITH claim AS (
  SELECT * FROM cb.claim WHERE version_id IN (SELECT unnest($versions::BIGINT[]))
    AND predicate_id IN (SELECT unnest($predicates::SMALLINT[])))
SELECT c.version_id, c.claim_no, c.source_id AS source_no, c.value_min::VARCHAR AS value_min, c.value_max::VARCHAR AS value_max,
  c.min_open, c.max_open, c.absent, c.complete, c.dated, c.bounded, epoch_us(c.from_earliest) AS from_earliest,
  epoch_us(c.from_latest) AS from_latest, epoch_us(c.until_earliest) AS until_earliest, epoch_us(c.until_latest) AS until_latest,
  epoch_us(c.observed_at) AS observed_at, t.value, w.value_key AS normalized_value, q.quote, q.selector, q.reasoning, q.confidence,
  o.qualifiers AS scope, u.name AS unit
FROM claim AS c
JOIN cb.scope AS o ON o.scope_id = c.scope_id
LEFT JOIN cb.unit AS u ON u.unit_id = c.unit_id
LEFT JOIN cb.statement AS t ON t.claim_no = c.claim_no
LEFT JOIN cb.value AS w ON w.value_id = c.value_id
LEFT JOIN cb.quote AS q ON q.quote_id = c.quote_id
