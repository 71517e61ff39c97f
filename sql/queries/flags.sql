-- What a reader must be warned of about some sources (R2).
SELECT source_id, flags FROM cb.flagged($observed_by, $recorded_by) WHERE list_contains($sources, source_id)
