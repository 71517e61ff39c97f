-- A watch that is made, or stopped.
INSERT INTO cb.watch VALUES ($watch_id, $name, $bundle, $stopped, $recorded_at)
