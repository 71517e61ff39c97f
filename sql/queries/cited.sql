-- The claims that an answer shows (Q4): bounds, words, quote; instants as microseconds and numbers as text, which are read much faster.
-- marks: by bit min_open, max_open, absent, complete, dated, bounded; and that value_max, left out, is value_min.
-- versions: as a JSON list, which is read much faster than a list of parameters.
WITH claim AS (
  SELECT * FROM cb.claim WHERE version_id IN (SELECT unnest(from_json($versions, '["BIGINT"]')))
    AND predicate_id IN (SELECT unnest($predicates::SMALLINT[])))
SELECT c.version_id, c.claim_no, c.source_id AS source_no, c.value_min::VARCHAR AS value_min,
  CASE WHEN c.value_max IS DISTINCT FROM c.value_min THEN c.value_max::VARCHAR END AS value_max,
  c.min_open::INTEGER + 2 * c.max_open::INTEGER + 4 * c.absent::INTEGER + 8 * c.complete::INTEGER + 16 * c.dated::INTEGER
    + 32 * c.bounded::INTEGER + 64 * (c.value_max IS NOT DISTINCT FROM c.value_min)::INTEGER AS marks, epoch_us(c.from_earliest) AS from_earliest,
  epoch_us(c.from_latest) AS from_latest, epoch_us(c.until_earliest) AS until_earliest, epoch_us(c.until_latest) AS until_latest,
  epoch_us(c.observed_at) AS observed_at, t.value, w.value_key AS normalized_value, q.quote, q.selector, q.reasoning, q.confidence,
  c.scope_id, c.unit_id
FROM claim AS c
LEFT JOIN cb.statement AS t ON t.claim_no = c.claim_no
LEFT JOIN cb.value AS w ON w.value_id = c.value_id
LEFT JOIN cb.quote AS q ON q.quote_id = c.quote_id
