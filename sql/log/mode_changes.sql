-- Whether a whole reading brings a mode its source does not have yet.
SELECT count(*) FROM cb.source AS s
WHERE s.url_key IN (SELECT url_key FROM whole_reading)
  AND NOT EXISTS (FROM cb.source_mode AS m WHERE m.source_id = s.source_id AND m.complete >= $complete AND m.own >= $own)
