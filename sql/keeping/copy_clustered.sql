-- Copy the versions in the order in which a load lays them down, so that what is asked together lies together.
INSERT INTO kept.cb.claim FROM cb.claim ORDER BY predicate_id, subject_id, from_latest, claim_no, observed_from, version_id
