-- Active claims with when each was last seen and whether it is stale: older at observed_by than its predicate's stale_after allows (Q9).
-- stale_days overrides every predicate's own number, NULL = no.
CREATE OR REPLACE MACRO cb.aged(valid_at, observed_by, recorded_by, subject_ids, predicate_ids, stale_days) AS TABLE
  WITH seen AS (
    SELECT c.claim_no, m.canonical_id AS predicate_id, coalesce(s.canonical_id, c.subject_id)::INTEGER AS subject_id, c.scope_id,
      c.source_id, c.version_id, coalesce(n.last_seen, c.observed_at) AS last_seen, coalesce(stale_days, m.stale_after) AS stale_after
    FROM cb.active(valid_at, observed_by, recorded_by) AS c
    JOIN cb.meant(recorded_by) AS m ON m.predicate_id = c.predicate_id
    LEFT JOIN cb.canonical('subject', recorded_by) AS s ON s.alias_id = c.subject_id
    LEFT JOIN cb.last_seen(observed_by, recorded_by) AS n ON n.claim_no = c.claim_no)
  SELECT *, epoch_us(observed_by) - epoch_us(last_seen) > stale_after * 86400000000 AS stale
  FROM seen
  WHERE (subject_ids IS NULL OR list_contains(subject_ids, subject_id))
    AND (predicate_ids IS NULL OR list_contains(predicate_ids, predicate_id))
