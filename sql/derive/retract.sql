-- Close the versions that no longer follow: the one update there is (B1).
UPDATE cb.claim SET retracted_at = $recorded_at WHERE version_id IN (SELECT version_id FROM difference)
