-- One card a slot (K10): counts by kind, disputed intervals, the first pairs in full, and every version on a side; newest observation first (K7).
WITH found AS MATERIALIZED (
  SELECT * FROM cb.disputes($observed_by, $recorded_by, $since, $before, $subjects, $predicates, false)),
pair AS (SELECT * FROM found WHERE kind <> 'unexamined'),
side AS (
  SELECT subject_id, predicate_id, scope_id, version_id, claim_no FROM pair
  UNION SELECT subject_id, predicate_id, scope_id, other_version, other_no FROM pair),
seen AS (
  SELECT claim_no, last_seen FROM cb.last_seen($observed_by, $recorded_by, claims := (SELECT list(DISTINCT claim_no) FROM side))),
numbered AS (
  SELECT p.* EXCLUDE (claim_no, other_no), p.claim_no AS to_close, least(p.claim_no, p.other_no) AS claim_no, greatest(p.claim_no, p.other_no) AS other_no,
    row_number() OVER (PARTITION BY p.subject_id, p.predicate_id, p.scope_id
      ORDER BY greatest(a.last_seen, b.last_seen) DESC, least(p.claim_no, p.other_no), greatest(p.claim_no, p.other_no),
        p.disputed_from NULLS FIRST) AS place
  FROM pair AS p LEFT JOIN seen AS a ON a.claim_no = p.claim_no LEFT JOIN seen AS b ON b.claim_no = p.other_no),
listed AS (
  SELECT subject_id, predicate_id, scope_id,
    list({claim_no: claim_no, other_no: other_no, to_close: to_close, kind: kind, disputed_from: disputed_from, disputed_until: disputed_until,
      suggested_end: suggested_end} ORDER BY place) FILTER (place <= $pairs) AS pairs
  FROM numbered GROUP BY subject_id, predicate_id, scope_id),
counted AS (
  SELECT subject_id, predicate_id, scope_id, list({kind: kind, n: n} ORDER BY kind) AS counts FROM (
    SELECT subject_id, predicate_id, scope_id, kind, count(DISTINCT (claim_no, other_no)) AS n
    FROM numbered GROUP BY subject_id, predicate_id, scope_id, kind
    UNION ALL SELECT subject_id, predicate_id, scope_id, kind, pairs FROM found WHERE kind = 'unexamined')
  GROUP BY subject_id, predicate_id, scope_id),
-- starts made unique first: two windows over tied starts give changing answers
starting AS (
  SELECT subject_id, predicate_id, scope_id, coalesce(disputed_from, '-infinity'::TIMESTAMPTZ) AS since,
    max(coalesce(disputed_until, 'infinity'::TIMESTAMPTZ)) AS before
  FROM pair GROUP BY ALL),
island AS (
  SELECT *, sum(fresh) OVER (PARTITION BY subject_id, predicate_id, scope_id ORDER BY since) AS island FROM (
    SELECT *, (since > coalesce(max(before) OVER (PARTITION BY subject_id, predicate_id, scope_id ORDER BY since
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), '-infinity'::TIMESTAMPTZ))::INTEGER AS fresh FROM starting)),
disputed AS (
  SELECT subject_id, predicate_id, scope_id,
    list({since: nullif(since, '-infinity'::TIMESTAMPTZ), before: nullif(before, 'infinity'::TIMESTAMPTZ)} ORDER BY since) AS disputed
  FROM (SELECT subject_id, predicate_id, scope_id, island, min(since) AS since, max(before) AS before FROM island GROUP BY ALL)
  GROUP BY subject_id, predicate_id, scope_id),
sides AS (
  SELECT subject_id, predicate_id, scope_id, list(version_id) AS versions FROM side GROUP BY ALL)
SELECT s.provider, s.name AS subject, p.name AS predicate, o.qualifiers AS scope, counts, disputed, pairs, versions
FROM counted
JOIN listed USING (subject_id, predicate_id, scope_id)
JOIN disputed USING (subject_id, predicate_id, scope_id)
JOIN sides USING (subject_id, predicate_id, scope_id)
JOIN cb.subject AS s USING (subject_id)
JOIN cb.predicate AS p USING (predicate_id)
JOIN cb.scope AS o USING (scope_id)
