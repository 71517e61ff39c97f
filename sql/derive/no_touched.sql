-- No slot is touched yet.
CREATE OR REPLACE TEMP TABLE touched (predicate_id SMALLINT, subject_id INTEGER, scope_id INTEGER)
