-- The watches that go on, by name, each with its last evaluation (Q10).
WITH newest AS (FROM cb.watch QUALIFY row_number() OVER (PARTITION BY watch_id ORDER BY recorded_at DESC, stopped DESC) = 1),
  made AS (SELECT watch_id, min(recorded_at) AS made_at FROM cb.watch GROUP BY watch_id),
  last AS (FROM cb.watch_evaluation QUALIFY row_number() OVER (PARTITION BY watch_id ORDER BY evaluation_id DESC) = 1)
SELECT n.watch_id, n.name, n.bundle, m.made_at, l.evaluation_id, l.valid_at, l.next_change_at, l.next_stale_at, l.eligible, l.disputed, l.stale
FROM newest AS n JOIN made AS m USING (watch_id) JOIN last AS l USING (watch_id)
WHERE NOT n.stopped ORDER BY n.name
