-- A listing says by silence: what stood and is not listed is gone; what the next stored reading says otherwise is said or gone there.
INSERT INTO accepted BY NAME
SELECT 0 AS row, 'gone' AS entry, predicate_id, subject_id, scope_id, source_id, claim_no, observed_at
FROM listing_state WHERE before_said AND NOT listed
UNION ALL BY NAME
SELECT 0 AS row, 'gone' AS entry, predicate_id, subject_id, scope_id, source_id, claim_no, after AS observed_at
FROM listing_state WHERE listed AND after IS NOT NULL AND NOT after_said
UNION ALL BY NAME
SELECT 0 AS row, 'said' AS entry, predicate_id, subject_id, scope_id, source_id, claim_no, after AS observed_at
FROM listing_state AS l WHERE NOT listed AND after IS NOT NULL AND after_said
  AND NOT EXISTS (FROM cb.entry AS e WHERE e.claim_no = l.claim_no AND e.observed_at = l.after AND e.kind = 'said')
