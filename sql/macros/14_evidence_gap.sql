-- Which of some predicates each subject has a claim for at valid_at, of whatever scope and from a source that counts (R2): filled, confirmed-absent
-- where all that is said is that there is none, or gap. Subjects are those with a visible claim. required: canonical predicate names.
-- subject_ids: canonical numbers to look at, NULL = all.
CREATE OR REPLACE MACRO cb.evidence_gap(valid_at, observed_by, recorded_by, required, subject_ids) AS TABLE
  WITH spoken AS MATERIALIZED (
    SELECT v.version_id, v.claim_no, v.subject_id, v.predicate_id, v.absent, v.says_nothing
    FROM cb.spoken(observed_by, recorded_by, subject_ids, NULL) AS v),
  held AS (
    SELECT s.subject_id, p.name AS predicate, count(DISTINCT s.claim_no) AS claims, bool_and(s.absent) AS all_absent, bool_or(a.certain) AS certain
    FROM spoken AS s
    JOIN cb.active(valid_at, observed_by, recorded_by) AS a ON a.version_id = s.version_id
    JOIN cb.predicate AS p ON p.predicate_id = s.predicate_id
    WHERE s.says_nothing IS DISTINCT FROM 'source_withdrawn' AND list_contains(required::VARCHAR[], p.name)
    GROUP BY s.subject_id, p.name)
  SELECT n.subject_id, n.provider, n.name AS subject, w.predicate,
    CASE WHEN h.claims IS NULL THEN 'gap' WHEN h.all_absent THEN 'confirmed-absent' ELSE 'filled' END AS status,
    coalesce(h.claims, 0) AS claims, coalesce(h.certain, false) AS certain
  FROM (SELECT DISTINCT subject_id FROM spoken) AS k
  JOIN cb.subject AS n ON n.subject_id = k.subject_id
  CROSS JOIN (SELECT DISTINCT unnest(required::VARCHAR[]) AS predicate) AS w
  LEFT JOIN held AS h ON h.subject_id = k.subject_id AND h.predicate = w.predicate
