-- Snapshots with text as read by a basis: the one with an id, or the newest of the source with that id, or of every source (source NULL).
SELECT coalesce(max(snapshot_id) FILTER (snapshot_id = $source), max_by(snapshot_id, (read_at, snapshot_id))) AS snapshot_id
FROM (
  SELECT t.snapshot_id, t.source_id, r.source_key, max(f.fetched_at) AS read_at
  FROM cb.snapshot AS t
  JOIN cb.source AS r ON r.source_id = t.source_id
  JOIN cb.fetch AS f ON f.snapshot_id = t.snapshot_id
  WHERE cb.countable(f.disposition) AND f.fetched_at <= $observed_by AND f.recorded_at <= $recorded_by
    AND t.text IS NOT NULL AND ($source IS NULL OR t.snapshot_id = $source OR r.source_key = $source)
  GROUP BY ALL)
GROUP BY source_id ORDER BY snapshot_id
