-- One reading of a page, and what became of it.
INSERT INTO cb.fetch (fetch_id, source_id, requested_uri, tool, fetched_at, http_status, snapshot_id, disposition, accept_reason, detail, recorded_at)
VALUES ($fetch_id, $source_id, $requested_uri, $tool, $fetched_at, $http_status, $snapshot_id, $disposition, $accept_reason, $detail, $recorded_at)
