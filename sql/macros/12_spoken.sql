-- Visible versions on canonical slots, with how their predicate was declared; says_nothing names why one decides nothing (R2, V2, P3).
-- subject_ids, predicate_ids: canonical numbers to look at, NULL = all.
CREATE OR REPLACE MACRO cb.spoken(observed_by, recorded_by, subject_ids, predicate_ids) AS TABLE
  WITH versions AS (
    SELECT v.* REPLACE (coalesce(s.canonical_id, v.subject_id)::INTEGER AS subject_id)
    FROM cb.visible(observed_by, recorded_by) AS v
    LEFT JOIN cb.canonical('subject', recorded_by) AS s ON s.alias_id = v.subject_id)
  SELECT v.* REPLACE (m.canonical_id AS predicate_id), m.single, m.tolerance, m.numeric,
    CASE
      WHEN v.source_id IN (SELECT w.source_id FROM cb.withdrawn(recorded_by) AS w) THEN 'source_withdrawn'
      WHEN m.numeric AND NOT v.absent AND v.value_min IS NULL AND v.value_max IS NULL THEN 'unread'
      WHEN len(m.requires) > 0 AND NOT list_has_all(json_keys(o.qualifiers), m.requires) THEN 'scope_missing'
    END AS says_nothing
  FROM versions AS v
  JOIN cb.meant(recorded_by) AS m ON m.predicate_id = v.predicate_id
  LEFT JOIN cb.scope AS o ON o.scope_id = v.scope_id
  WHERE (subject_ids IS NULL OR list_contains(subject_ids, v.subject_id))
    AND (predicate_ids IS NULL OR list_contains(predicate_ids, m.canonical_id))
