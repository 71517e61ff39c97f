-- Note a schema file as applied.
INSERT INTO cb.migration VALUES ($number, $name, $engine, $applied_at)
