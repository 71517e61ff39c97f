-- How subjects stand with a watch since an evaluation, from JSON.
INSERT INTO cb.watch_state
SELECT r.evaluation_id, $watch_id, r.provider, r.subject, r.eligible, r.disputed, r.supporting, r.disputing, r.stale, $recorded_at
FROM (SELECT unnest(from_json($rows, '[{"evaluation_id": "INTEGER", "provider": "VARCHAR", "subject": "VARCHAR", "eligible": "BOOLEAN",
  "disputed": "BOOLEAN", "supporting": ["UBIGINT"], "disputing": ["UBIGINT"], "stale": ["UBIGINT"]}]')) AS r)
