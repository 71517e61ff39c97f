-- A name that is given to another subject, or taken from it again (P2).
INSERT INTO cb.alias (kind, alias_id, canonical_id, revoked, reason, recorded_at)
VALUES ('subject', $alias_id, $canonical_id, $revoked, $reason, $recorded_at)
