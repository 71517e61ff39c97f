-- The greatest numbers of watches, evaluations and events so far; 0 where there is none.
SELECT coalesce((SELECT max(watch_id) FROM cb.watch), 0), coalesce((SELECT max(evaluation_id) FROM cb.watch_evaluation), 0),
  coalesce((SELECT max(event_no) FROM cb.watch_event), 0)
