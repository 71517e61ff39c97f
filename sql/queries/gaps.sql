-- Which required predicates each subject has a claim for, in the order they are asked in.
SELECT provider, subject, predicate, status, claims, certain
FROM cb.evidence_gap($valid_at, $observed_by, $recorded_by, $required, $subjects)
ORDER BY provider, subject, list_position($required, predicate)
