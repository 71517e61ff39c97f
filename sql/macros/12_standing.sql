-- Active versions on canonical slots (P2), with what of their value tells one from another (V9); an absence claim has no value.
-- subject_ids, predicate_ids: canonical numbers to look at, NULL = all.
CREATE OR REPLACE MACRO cb.standing(valid_at, observed_by, recorded_by, subject_ids, predicate_ids) AS TABLE
  SELECT coalesce(s.canonical_id, c.subject_id)::INTEGER AS subject_id, m.canonical_id AS predicate_id, c.scope_id, c.absent,
    CASE WHEN c.absent THEN 0 ELSE c.value_id END AS said, c.claim_no, c.version_id, c.certain, c.observed_at, c.observed_from,
    c.retracted_at, c.subject_id AS named_subject, c.predicate_id AS named_predicate
  FROM cb.active(valid_at, observed_by, recorded_by) AS c
  JOIN cb.meant(recorded_by) AS m ON m.predicate_id = c.predicate_id
  LEFT JOIN cb.canonical('subject', recorded_by) AS s ON s.alias_id = c.subject_id
  WHERE (subject_ids IS NULL OR list_contains(subject_ids, coalesce(s.canonical_id, c.subject_id)::INTEGER))
    AND (predicate_ids IS NULL OR list_contains(predicate_ids, m.canonical_id))
