-- What the batch of this instant wrote: entries, versions, retractions, and rows of every other log table.
SELECT (SELECT count(*) FROM cb.entry WHERE recorded_at = $recorded_at),
  (SELECT count(*) FROM cb.claim WHERE recorded_at = $recorded_at),
  (SELECT count(*) FROM cb.retraction WHERE recorded_at = $recorded_at),
  (SELECT count(*) FROM cb.reading WHERE recorded_at = $recorded_at)
    + (SELECT count(*) FROM cb.source_attribute WHERE recorded_at = $recorded_at)
    + (SELECT count(*) FROM cb.source_mode WHERE recorded_at = $recorded_at)
    + (SELECT count(*) FROM cb.decision WHERE recorded_at = $recorded_at)
    + (SELECT count(*) FROM cb.alias WHERE recorded_at = $recorded_at)
    + (SELECT count(*) FROM cb.predicate_declaration WHERE recorded_at = $recorded_at)
