-- Every reading of a source by a basis, in order, also those refused.
SELECT fetch_id, fetched_at, disposition, snapshot_id, requested_uri, tool, http_status, accept_reason, detail, recorded_at
FROM cb.fetch WHERE source_id = $source AND fetched_at <= $observed_by AND recorded_at <= $recorded_by
ORDER BY fetched_at, recorded_at, fetch_id
