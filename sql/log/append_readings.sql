-- Append the new readings.
INSERT INTO cb.reading SELECT source_id, observed_at, outcome, whole, declared_version, NULL, $recorded_at FROM new_reading
ORDER BY source_id, observed_at
