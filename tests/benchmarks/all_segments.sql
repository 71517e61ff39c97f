-- History of everything: how many segments of each status.
SELECT status, count(*) FROM cb.segments($valid_at, $observed_by, $recorded_by, NULL, NULL) GROUP BY status ORDER BY status
