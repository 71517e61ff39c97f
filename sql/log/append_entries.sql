-- Append the new entries.
INSERT INTO cb.entry SELECT *, $recorded_at FROM new_entry
ORDER BY predicate_id, subject_id, scope_id, source_id, observed_at, claim_no
