-- Covering indexes: by subject, and by predicate with every column that a timeslice reads.
CREATE INDEX claim_by_subject ON claim (subject_id);
CREATE INDEX claim_by_predicate ON claim (predicate_id, subject_id, scope_id, value, from_latest, until_earliest, observed_from, observed_until, recorded_at, retracted_at, observed_at);
ANALYZE
