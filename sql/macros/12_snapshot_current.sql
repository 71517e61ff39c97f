-- The text each source was last read with, as a basis knows it: that of its newest accepted or unchanged reading, ties by id (evidence §4.2).
CREATE OR REPLACE MACRO cb.snapshot_current(observed_by, recorded_by) AS TABLE
  WITH newest AS (
    SELECT f.source_id, arg_max(f.snapshot_id, (f.fetched_at, f.snapshot_id)) AS snapshot_id, max(f.fetched_at) AS last_fetched_at
    FROM cb.fetch AS f
    WHERE cb.countable(f.disposition) AND f.disposition <> 'asserted' AND f.fetched_at <= observed_by AND f.recorded_at <= recorded_by
    GROUP BY f.source_id)
  SELECT t.*, n.last_fetched_at
  FROM newest AS n JOIN cb.snapshot AS t ON t.snapshot_id = n.snapshot_id AND t.source_id = n.source_id
