-- The digest that stands for each row of the log in the root of its batch (G6): its table and all of its columns. Left out are only what an
-- erasure takes and another digest proves (the text of a snapshot, the bytes of a receipt), and when a version ended, which is a row of cb.retraction.
CREATE OR REPLACE MACRO cb.leaf() AS TABLE
  SELECT 'entry' AS part, recorded_at,
    cb.entry_leaf(claim_no, predicate_id, subject_id, scope_id, source_id, observed_at, ordinal, kind, quote_id) AS digest FROM cb.entry
  UNION ALL SELECT 'source', recorded_at, sha256('source' || to_json(t)::VARCHAR) FROM cb.source AS t
  UNION ALL SELECT 'source_attribute', recorded_at, sha256('source_attribute' || to_json(t)::VARCHAR) FROM cb.source_attribute AS t
  UNION ALL SELECT 'source_mode', recorded_at, sha256('source_mode' || to_json(t)::VARCHAR) FROM cb.source_mode AS t
  UNION ALL SELECT 'subject', recorded_at, sha256('subject' || to_json(t)::VARCHAR) FROM cb.subject AS t
  UNION ALL SELECT 'predicate', recorded_at, sha256('predicate' || to_json(t)::VARCHAR) FROM cb.predicate AS t
  UNION ALL SELECT 'predicate_declaration', recorded_at, sha256('predicate_declaration' || to_json(t)::VARCHAR) FROM cb.predicate_declaration AS t
  UNION ALL SELECT 'scope', recorded_at, sha256('scope' || to_json(t)::VARCHAR) FROM cb.scope AS t
  UNION ALL SELECT 'unit', recorded_at, sha256('unit' || to_json(t)::VARCHAR) FROM cb.unit AS t
  UNION ALL SELECT 'alias', recorded_at, sha256('alias' || to_json(t)::VARCHAR) FROM cb.alias AS t
  UNION ALL SELECT 'value', recorded_at, sha256('value' || to_json(t)::VARCHAR) FROM cb.value AS t
  UNION ALL SELECT 'decision', recorded_at, sha256('decision' || to_json(t)::VARCHAR) FROM cb.decision AS t
  UNION ALL SELECT 'withdrawal', recorded_at, sha256('withdrawal' || to_json(t)::VARCHAR) FROM cb.withdrawal AS t
  UNION ALL SELECT 'review', recorded_at, sha256('review' || to_json(t)::VARCHAR) FROM cb.review AS t
  UNION ALL SELECT 'review_decision', recorded_at, sha256('review_decision' || to_json(t)::VARCHAR) FROM cb.review_decision AS t
  UNION ALL SELECT 'tombstone', recorded_at, sha256('tombstone' || to_json(t)::VARCHAR) FROM cb.tombstone AS t
  UNION ALL SELECT 'retraction', recorded_at, sha256('retraction' || to_json(t)::VARCHAR) FROM cb.retraction AS t
  UNION ALL SELECT 'watch', recorded_at, sha256('watch' || to_json(t)::VARCHAR) FROM cb.watch AS t
  UNION ALL SELECT 'watch_evaluation', recorded_at, sha256('watch_evaluation' || to_json(t)::VARCHAR) FROM cb.watch_evaluation AS t
  UNION ALL SELECT 'watch_state', recorded_at, sha256('watch_state' || to_json(t)::VARCHAR) FROM cb.watch_state AS t
  UNION ALL SELECT 'watch_event', recorded_at, sha256('watch_event' || to_json(t)::VARCHAR) FROM cb.watch_event AS t
  UNION ALL SELECT 'source_setting', recorded_at, sha256('source_setting' || to_json(t)::VARCHAR) FROM cb.source_setting AS t
  UNION ALL SELECT 'fetch', recorded_at, sha256('fetch' || to_json(t)::VARCHAR) FROM cb.fetch AS t
  UNION ALL SELECT 'evidence', recorded_at, sha256('evidence' || to_json(t)::VARCHAR) FROM cb.evidence AS t
  UNION ALL SELECT 'evidence_event', recorded_at, sha256('evidence_event' || to_json(t)::VARCHAR) FROM cb.evidence_event AS t
  UNION ALL SELECT 'quote_check', recorded_at, sha256('quote_check' || to_json(t)::VARCHAR) FROM cb.quote_check AS t
  UNION ALL SELECT 'claim_check', recorded_at, sha256('claim_check' || to_json(t)::VARCHAR) FROM cb.claim_check AS t
  UNION ALL SELECT 'support_check', recorded_at, sha256('support_check' || to_json(t)::VARCHAR) FROM cb.support_check AS t
  UNION ALL SELECT 'retraction_notice', recorded_at, sha256('retraction_notice' || to_json(t)::VARCHAR) FROM cb.retraction_notice AS t
  -- What every claim brings is written field by field, quicker than JSON: words with their length before them, the rest with a stroke between.
  UNION ALL SELECT 'statement', recorded_at, sha256(concat_ws('|', 'statement',
    claim_no, predicate_id, subject_id, scope_id, source_id, absent, complete, cb.spelt(value), cb.spelt(normalized_value),
    cb.spelt(stated_unit), cb.spelt(effective_from), cb.spelt(effective_until), cb.spelt(from_kind), cb.spelt(until_kind),
    coalesce(epoch_us(from_earliest)::VARCHAR, '-'), coalesce(epoch_us(from_latest)::VARCHAR, '-'),
    coalesce(epoch_us(until_earliest)::VARCHAR, '-'), coalesce(epoch_us(until_latest)::VARCHAR, '-'),
    epoch_us(recorded_at))) FROM cb.statement
  UNION ALL SELECT 'quote', recorded_at, sha256(concat_ws('|', 'quote',
    quote_id, cb.spelt(quote), cb.spelt(selector), cb.spelt(reasoning), cb.spelt(confidence), epoch_us(recorded_at))) FROM cb.quote
  UNION ALL SELECT 'reading', recorded_at, sha256(concat_ws('|', 'reading',
    source_id, epoch_us(observed_at), cb.spelt(outcome), whole, cb.spelt(declared_version), cb.spelt(snapshot_id),
    epoch_us(recorded_at))) FROM cb.reading
  UNION ALL SELECT 'meaning', recorded_at, sha256(concat_ws('|', 'meaning',
    claim_no, value_id, coalesce(unit_id::VARCHAR, '-'), coalesce(value_min::VARCHAR, '-'),
    coalesce(value_max::VARCHAR, '-'), min_open, max_open, approximate, coalesce(value_precision::VARCHAR, '-'),
    epoch_us(recorded_at))) FROM cb.meaning
  UNION ALL SELECT 'claim', recorded_at, sha256(concat_ws('|', 'claim',
    version_id, predicate_id, subject_id, scope_id, source_id, claim_no, quote_id, coalesce(value_min::VARCHAR, '-'),
    coalesce(value_max::VARCHAR, '-'), value_id, coalesce(unit_id::VARCHAR, '-'), absent, complete, min_open,
    max_open, dated, bounded, coalesce(epoch_us(from_earliest)::VARCHAR, '-'),
    coalesce(epoch_us(from_latest)::VARCHAR, '-'), coalesce(epoch_us(until_earliest)::VARCHAR, '-'),
    coalesce(epoch_us(until_latest)::VARCHAR, '-'), epoch_us(observed_at), epoch_us(observed_from),
    coalesce(epoch_us(observed_until)::VARCHAR, '-'), epoch_us(recorded_at))) FROM cb.claim
  UNION ALL SELECT 'snapshot', recorded_at, sha256('snapshot' || to_json(t)::VARCHAR) FROM (SELECT * EXCLUDE (text) FROM cb.snapshot) AS t
  UNION ALL SELECT 'receipt', recorded_at, sha256('receipt' || to_json(t)::VARCHAR) FROM (SELECT * EXCLUDE (canonical) FROM cb.receipt) AS t
