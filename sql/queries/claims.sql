-- Versions visible at a basis under the names their subjects have there, narrowed by names (other names count too, P2); flagged where
-- their source was withdrawn (R2).
WITH known AS (
  SELECT s.subject_id, m.subject_id AS meant_id, m.provider, m.name
  FROM cb.subject AS s
  LEFT JOIN cb.canonical('subject', $recorded_by) AS a ON a.alias_id = s.subject_id
  JOIN cb.subject AS m ON m.subject_id = coalesce(a.canonical_id, s.subject_id)),
asked AS (
  SELECT n.meant_id FROM known AS n JOIN cb.subject AS s USING (subject_id)
  WHERE ($subject IS NULL OR cb.folded(s.name) = cb.folded($subject))
    AND ($provider IS NULL OR cb.folded($provider) IN (cb.folded(s.provider), cb.folded(n.provider))))
SELECT d.* EXCLUDE (claim_no, subject_id, predicate_id, scope_id, source_no, version_id) REPLACE (n.provider AS provider, n.name AS subject),
  coalesce(f.flags, []) AS flags
FROM cb.described($observed_by, $recorded_by) AS d
JOIN known AS n USING (subject_id)
LEFT JOIN cb.flagged($observed_by, $recorded_by) AS f ON f.source_id = d.source_no
WHERE n.meant_id IN (SELECT meant_id FROM asked)
  AND ($predicate IS NULL OR list_contains($predicate, d.predicate))
  AND ($source IS NULL OR d.url = $source OR d.source_id = $source)
ORDER BY n.provider, n.name, d.predicate, d.scope, d.from_latest NULLS FIRST, d.claim_id, d.observed_from
LIMIT $limit
