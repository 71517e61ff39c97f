-- Every slot is touched: those the log speaks of, and those in which a version stands.
CREATE OR REPLACE TEMP TABLE touched AS
SELECT predicate_id, subject_id, scope_id FROM cb.entry
UNION
SELECT predicate_id, subject_id, scope_id FROM cb.claim WHERE retracted_at IS NULL
