-- A source whose claims no longer count as support (R2).
INSERT INTO cb.withdrawal (source_id, reason, recorded_at) VALUES ($source_id, $reason, $recorded_at)
