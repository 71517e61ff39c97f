-- Close a batch: its root chains the previous root with every row written at its instant (G6).
INSERT INTO cb.batch
SELECT $batch_id, $recorded_at, $verb, $entries, $added, $retracted,
  cb.root($prev, $batch_id, $recorded_at, $verb, $entries, $added, $retracted,
    (SELECT string_agg(to_json(m)::VARCHAR, '' ORDER BY number) FROM cb.migration AS m WHERE m.applied_at <= $recorded_at),
    (SELECT leaves FROM cb.bundled(wanted := $recorded_at))),
  $prev
