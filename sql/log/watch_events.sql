-- The events of a watch, from JSON.
INSERT INTO cb.watch_event
SELECT r.event_no, r.evaluation_id, $watch_id, r.event, r.provider, r.subject, r.because, r.detail, $recorded_at
FROM (SELECT unnest(from_json($rows, '[{"event_no": "BIGINT", "evaluation_id": "INTEGER", "event": "VARCHAR", "provider": "VARCHAR",
  "subject": "VARCHAR", "because": ["UBIGINT"], "detail": "VARCHAR"}]')) AS r)
