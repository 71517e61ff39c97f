-- When the newest declaration within a basis was made: the key under which a vocabulary may be kept.
SELECT max(recorded_at) FROM cb.predicate_declaration WHERE recorded_at <= $recorded_by
