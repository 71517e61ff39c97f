-- What the batch of this instant wrote: entries, versions, retractions, and rows of every other log table.
SELECT count(*) FILTER (WHERE part = 'entry'), count(*) FILTER (WHERE part = 'claim'),
  count(*) FILTER (WHERE part = 'retraction'), count(*) FILTER (WHERE part = 'other')
FROM (
  SELECT 'entry' AS part, recorded_at FROM cb.entry
  UNION ALL SELECT 'claim', recorded_at FROM cb.claim
  UNION ALL SELECT 'retraction', recorded_at FROM cb.retraction
  UNION ALL SELECT 'other', recorded_at FROM cb.reading
  UNION ALL SELECT 'other', recorded_at FROM cb.source_attribute
  UNION ALL SELECT 'other', recorded_at FROM cb.source_mode
  UNION ALL SELECT 'other', recorded_at FROM cb.decision
  UNION ALL SELECT 'other', recorded_at FROM cb.review
  UNION ALL SELECT 'other', recorded_at FROM cb.alias
  UNION ALL SELECT 'other', recorded_at FROM cb.tombstone
  UNION ALL SELECT 'other', recorded_at FROM cb.withdrawal
  UNION ALL SELECT 'other', recorded_at FROM cb.watch
  UNION ALL SELECT 'other', recorded_at FROM cb.watch_evaluation
  UNION ALL SELECT 'other', recorded_at FROM cb.source_setting
  UNION ALL SELECT 'other', recorded_at FROM cb.snapshot
  UNION ALL SELECT 'other', recorded_at FROM cb.fetch
  UNION ALL SELECT 'other', recorded_at FROM cb.evidence
  UNION ALL SELECT 'other', recorded_at FROM cb.evidence_event
  UNION ALL SELECT 'other', recorded_at FROM cb.quote_check
  UNION ALL SELECT 'other', recorded_at FROM cb.claim_check
  UNION ALL SELECT 'other', recorded_at FROM cb.support_check
  UNION ALL SELECT 'other', recorded_at FROM cb.retraction_notice
  UNION ALL SELECT 'other', recorded_at FROM cb.review_decision
  UNION ALL SELECT 'other', recorded_at FROM cb.receipt
  UNION ALL SELECT 'other', recorded_at FROM cb.predicate_declaration)
WHERE recorded_at = $recorded_at
