-- The events of watches after a number, in the order they happened; watch NULL = of all.
FROM cb.watch_events($watch, $since)
