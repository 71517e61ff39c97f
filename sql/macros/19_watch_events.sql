-- Public: what happened to the answers of watches, in order; read on with the greatest number seen. FROM cb.watch_events('cheap', 41)
CREATE OR REPLACE MACRO cb.watch_events(watch := NULL, since := 0) AS TABLE
  SELECT e.event_no AS number, w.name AS watch, e.event, v.valid_at AS at, e.provider, e.subject,
    list_transform(e.because, lambda c: cb.claim_id(c)) AS because, e.detail, e.recorded_at
  FROM cb.watch_event AS e
  JOIN cb.watch_evaluation AS v ON v.evaluation_id = e.evaluation_id
  JOIN (SELECT DISTINCT n.watch_id, n.name FROM cb.watch AS n) AS w ON w.watch_id = e.watch_id
  WHERE e.event_no > coalesce(since, 0) AND (watch IS NULL OR w.name = watch)
  ORDER BY e.event_no
