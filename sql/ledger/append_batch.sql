-- Close a batch: its root chains the previous root with every row of the log written at its instant (G6).
-- Statements, meanings and quotes are committed to by the content digests that entries carry; versions follow from the log (B1).
INSERT INTO cb.batch
WITH leaf AS (
  SELECT cb.entry_leaf(claim_no, predicate_id, subject_id, scope_id, source_id, observed_at, ordinal, kind, quote_id) AS digest
  FROM cb.entry WHERE recorded_at = $recorded_at
  UNION ALL SELECT sha256('reading' || to_json(t)::VARCHAR) FROM cb.reading AS t WHERE t.recorded_at = $recorded_at
  UNION ALL SELECT sha256('source' || to_json(t)::VARCHAR) FROM cb.source AS t WHERE t.recorded_at = $recorded_at
  UNION ALL SELECT sha256('source_attribute' || to_json(t)::VARCHAR)
    FROM cb.source_attribute AS t WHERE t.recorded_at = $recorded_at
  UNION ALL SELECT sha256('source_mode' || to_json(t)::VARCHAR) FROM cb.source_mode AS t WHERE t.recorded_at = $recorded_at
  UNION ALL SELECT sha256('subject' || to_json(t)::VARCHAR) FROM cb.subject AS t WHERE t.recorded_at = $recorded_at
  UNION ALL SELECT sha256('predicate' || to_json(t)::VARCHAR) FROM cb.predicate AS t WHERE t.recorded_at = $recorded_at
  UNION ALL SELECT sha256('scope' || to_json(t)::VARCHAR) FROM cb.scope AS t WHERE t.recorded_at = $recorded_at
  UNION ALL SELECT sha256('unit' || to_json(t)::VARCHAR) FROM cb.unit AS t WHERE t.recorded_at = $recorded_at
  UNION ALL SELECT sha256('alias' || to_json(t)::VARCHAR) FROM cb.alias AS t WHERE t.recorded_at = $recorded_at
  UNION ALL SELECT sha256('decision' || to_json(t)::VARCHAR) FROM cb.decision AS t WHERE t.recorded_at = $recorded_at
  UNION ALL SELECT sha256('withdrawal' || to_json(t)::VARCHAR) FROM cb.withdrawal AS t WHERE t.recorded_at = $recorded_at
  UNION ALL SELECT sha256('review' || to_json(t)::VARCHAR) FROM cb.review AS t WHERE t.recorded_at = $recorded_at
  UNION ALL SELECT sha256('tombstone' || to_json(t)::VARCHAR) FROM cb.tombstone AS t WHERE t.recorded_at = $recorded_at
  UNION ALL SELECT sha256('retraction' || to_json(t)::VARCHAR) FROM cb.retraction AS t WHERE t.recorded_at = $recorded_at
  UNION ALL SELECT sha256('watch' || to_json(t)::VARCHAR) FROM cb.watch AS t WHERE t.recorded_at = $recorded_at
  UNION ALL SELECT sha256('watch_evaluation' || to_json(t)::VARCHAR) FROM cb.watch_evaluation AS t WHERE t.recorded_at = $recorded_at
  UNION ALL SELECT sha256('watch_state' || to_json(t)::VARCHAR) FROM cb.watch_state AS t WHERE t.recorded_at = $recorded_at
  UNION ALL SELECT sha256('watch_event' || to_json(t)::VARCHAR) FROM cb.watch_event AS t WHERE t.recorded_at = $recorded_at
  UNION ALL SELECT sha256('predicate_declaration' || to_json(t)::VARCHAR)
    FROM cb.predicate_declaration AS t WHERE t.recorded_at = $recorded_at)
SELECT $batch_id, $recorded_at, $verb, $entries, $added, $retracted,
  sha256($prev || coalesce(string_agg(digest, '' ORDER BY digest), '')), $prev
FROM leaf
