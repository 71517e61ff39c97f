-- Note how the source of a whole reading is read.
INSERT INTO cb.source_mode
SELECT s.source_id, true, $complete, $own, $recorded_at FROM cb.source AS s
WHERE s.url_key IN (SELECT url_key FROM whole_reading)
