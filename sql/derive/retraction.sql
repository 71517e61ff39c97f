-- Say what became of them.
INSERT INTO cb.retraction SELECT version_id, claim_no, 'replaced', NULL, NULL, $recorded_at FROM obsolete ORDER BY version_id
