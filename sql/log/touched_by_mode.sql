-- A source read in another way than before touches all of its slots.
INSERT INTO touched
SELECT DISTINCT e.predicate_id, e.subject_id, e.scope_id
FROM cb.entry AS e JOIN cb.source AS s USING (source_id)
WHERE s.url_key IN (SELECT url_key FROM whole_reading)
EXCEPT SELECT predicate_id, subject_id, scope_id FROM touched
