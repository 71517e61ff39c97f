-- Claims a basis sees, each with its subject, its source, the confidence its quotes were given, and the sources of its live evidence that was
-- not found wanting.
WITH chosen AS (SELECT unnest($claims::UBIGINT[]) AS claim_no),
seen AS (
  SELECT v.claim_no, any_value(coalesce(s.canonical_id, v.subject_id))::INTEGER AS subject_id, any_value(v.source_id) AS source_id,
    CASE WHEN bool_or(q.confidence = 'high') THEN 'high' ELSE min(q.confidence) END AS confidence
  FROM cb.visible($observed_by, $recorded_by) AS v SEMI JOIN chosen AS c ON c.claim_no = v.claim_no
  LEFT JOIN cb.canonical('subject', $recorded_by) AS s ON s.alias_id = v.subject_id
  LEFT JOIN cb.quote AS q ON q.quote_id = v.quote_id
  GROUP BY v.claim_no),
shown AS (
  SELECT e.claim_no, list(DISTINCT r.source_key ORDER BY r.source_key) AS sources
  FROM cb.evidence_current($observed_by, $recorded_by) AS e SEMI JOIN chosen AS c ON c.claim_no = e.claim_no
  JOIN cb.snapshot AS t ON t.snapshot_id = e.snapshot_id JOIN cb.source AS r ON r.source_id = t.source_id
  WHERE e.role IN ('supports', 'absence') AND coalesce(e.status, '') NOT IN ('altered', 'not-found', 'ambiguous')
  GROUP BY e.claim_no)
SELECT n.claim_no, n.subject_id, r.source_key AS source_id, n.confidence, coalesce(w.sources, []) AS evidence
FROM seen AS n JOIN cb.source AS r ON r.source_id = n.source_id LEFT JOIN shown AS w ON w.claim_no = n.claim_no
ORDER BY n.claim_no
