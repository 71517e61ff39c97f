-- Evaluations of a watch, from JSON (Q10).
INSERT INTO cb.watch_evaluation
SELECT r.evaluation_id, $watch_id, r.valid_at, r.observed_by, r.recorded_by, r.batch_id, r.vocabulary, r.next_change_at, r.next_stale_at,
  r.eligible, r.disputed, r.stale, $recorded_at
FROM (SELECT unnest(from_json($rows, '[{"evaluation_id": "INTEGER", "valid_at": "TIMESTAMPTZ", "observed_by": "TIMESTAMPTZ",
  "recorded_by": "TIMESTAMPTZ", "batch_id": "BIGINT", "vocabulary": "VARCHAR", "next_change_at": "TIMESTAMPTZ",
  "next_stale_at": "TIMESTAMPTZ", "eligible": "INTEGER", "disputed": "INTEGER", "stale": "INTEGER"}]')) AS r)
