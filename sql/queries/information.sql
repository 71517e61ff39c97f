-- What is no contradiction but worth knowing (K3): values that differ only across scopes, that cannot be compared, equal values with other ends;
-- and how many claims say nothing, for lack of a number (V2), of a scope (P3), or of a source that stands (R2).
WITH found AS (
  SELECT kind, subject_id, predicate_id, scope_id, other_scope_id, least(claim_no, other_no) AS claim_no,
    greatest(claim_no, other_no) AS other_no, disputed_from, disputed_until, pairs
  FROM cb.disputes($observed_by, $recorded_by, $since, $before, $subjects, $predicates, true)
  WHERE kind IN ('scope_differs', 'incomparable_units')
  UNION ALL
  SELECT 'end_differs', subject_id, predicate_id, scope_id, scope_id, least(claim_no, other_no), greatest(claim_no, other_no),
    shared_from, shared_until, pairs
  FROM cb.other_ends($observed_by, $recorded_by, $since, $before, $subjects, $predicates, $listed > 0)),
counted AS (
  SELECT *, sum(pairs) OVER (PARTITION BY kind) AS n,
    row_number() OVER (PARTITION BY kind ORDER BY claim_no, other_no, disputed_from NULLS FIRST) AS place
  FROM found)
SELECT f.kind, f.n, s.provider, s.name AS subject, p.name AS predicate, o.qualifiers AS scope, x.qualifiers AS other_scope,
  f.claim_no, f.other_no, f.disputed_from, f.disputed_until, f.place
FROM counted AS f
JOIN cb.subject AS s USING (subject_id)
JOIN cb.predicate AS p USING (predicate_id)
JOIN cb.scope AS o ON o.scope_id = f.scope_id
JOIN cb.scope AS x ON x.scope_id = f.other_scope_id
WHERE f.place <= greatest($listed, 1)
UNION ALL
SELECT says_nothing, count(DISTINCT claim_no), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM cb.spoken($observed_by, $recorded_by, $subjects, $predicates)
WHERE says_nothing IS NOT NULL AND ($before IS NULL OR from_earliest IS NULL OR from_earliest < $before)
  AND ($since IS NULL OR until_earliest IS NULL OR until_latest IS NULL OR until_latest > $since)
GROUP BY says_nothing
ORDER BY kind, provider, subject, predicate, scope <> '{}', scope, place
