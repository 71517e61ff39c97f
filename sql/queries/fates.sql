-- What became of each version of a subject's slots at a basis: active, over, still to come, withdrawn, not yet read, not yet held; and
-- what was erased. Versions that another version of their claim replaced are left out.
WITH axes AS (SELECT $valid_at::TIMESTAMPTZ AS v, $observed_by::TIMESTAMPTZ AS o, $recorded_by::TIMESTAMPTZ AS r),
version AS (
  SELECT c.*, m.name AS predicate,
    CASE
      WHEN a.version_id IS NOT NULL THEN 'active'
      WHEN s.version_id IS NOT NULL THEN CASE WHEN c.until_latest <= x.v THEN 'historical' ELSE 'upcoming' END
      WHEN c.recorded_at > x.r THEN 'not_recorded'
      WHEN w.kind <> 'replaced' THEN w.kind
      WHEN c.retracted_at <= x.r THEN 'replaced'
      WHEN c.observed_from > x.o THEN 'not_observed'
      ELSE 'replaced' END AS fate,
    w.recorded_at AS withdrawn_at
  FROM cb.claim AS c
  CROSS JOIN axes AS x
  JOIN cb.meant($recorded_by) AS m ON m.predicate_id = c.predicate_id
  LEFT JOIN cb.canonical('subject', $recorded_by) AS n ON n.alias_id = c.subject_id
  LEFT JOIN cb.visible($observed_by, $recorded_by) AS s ON s.version_id = c.version_id
  LEFT JOIN cb.active($valid_at, $observed_by, $recorded_by) AS a ON a.version_id = c.version_id
  LEFT JOIN cb.retraction AS w ON w.version_id = c.version_id AND w.recorded_at <= x.r
  WHERE coalesce(n.canonical_id, c.subject_id) = $subject_id AND list_contains($predicates, m.name)),
told AS (
  SELECT v.predicate, v.scope_id, v.fate, v.from_earliest, v.from_latest, v.until_earliest, v.until_latest, v.claim_no,
    CASE v.fate WHEN 'historical' THEN v.until_latest WHEN 'upcoming' THEN v.from_earliest WHEN 'not_observed' THEN v.observed_from
      WHEN 'not_recorded' THEN v.recorded_at ELSE v.withdrawn_at END AS since
  FROM version AS v WHERE v.fate <> 'replaced'
  UNION ALL
  SELECT m.name, t.scope_id, 'erased', NULL, NULL, NULL, NULL, t.claim_no, t.recorded_at
  FROM cb.tombstone AS t
  JOIN cb.meant($recorded_by) AS m ON m.predicate_id = t.predicate_id
  LEFT JOIN cb.canonical('subject', $recorded_by) AS n ON n.alias_id = t.subject_id
  WHERE coalesce(n.canonical_id, t.subject_id) = $subject_id AND list_contains($predicates, m.name))
SELECT t.predicate, o.qualifiers AS scope, t.fate, t.from_earliest, t.from_latest, t.until_earliest, t.until_latest, t.since
FROM told AS t JOIN cb.scope AS o ON o.scope_id = t.scope_id
ORDER BY t.predicate, o.qualifiers, t.fate, t.since, t.claim_no, t.from_latest NULLS FIRST
