-- Sources by domain in the order in which they were first read; those read by nobody yet come last.
FROM cb.source_timeline($observed_by, $recorded_by) ORDER BY domain, first_read_at NULLS LAST, uri, source_id
