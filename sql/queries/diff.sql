-- The values of slots that two bases see differently: how certain each is at either, the versions that state it, what became of claims
-- that left, and the decisions whose batches brought the difference (H2).
WITH before AS MATERIALIZED (
  FROM cb.standing($valid_at, $observed_by, $recorded_by, $subjects, $predicates)),
after AS MATERIALIZED (
  FROM cb.standing($then_valid_at, $then_observed_by, $then_recorded_by, $subjects, $predicates)),
-- only slots with a version that one side has not, or has otherwise, can differ
touched AS (
  SELECT subject_id, predicate_id, scope_id FROM before ANTI JOIN after USING (version_id, certain, subject_id, predicate_id)
  UNION SELECT subject_id, predicate_id, scope_id FROM after ANTI JOIN before USING (version_id, certain, subject_id, predicate_id)),
standing AS (
  SELECT *, false AS is_after FROM before SEMI JOIN touched USING (subject_id, predicate_id, scope_id)
  UNION ALL
  SELECT *, true FROM after SEMI JOIN touched USING (subject_id, predicate_id, scope_id)),
-- one row per value and claim, with a version of it on either side
member AS (
  SELECT subject_id, predicate_id, scope_id, absent, said, claim_no,
    bool_or(certain) FILTER (NOT is_after) AS before_certain, bool_or(certain) FILTER (is_after) AS after_certain,
    max(ROW(certain, observed_at, observed_from, version_id)) FILTER (NOT is_after)[4] AS before_version,
    max(ROW(certain, observed_at, observed_from, version_id)) FILTER (is_after)[4] AS after_version,
    min(retracted_at) FILTER (NOT is_after) AS ended_at, any_value(named_subject) AS named_subject, any_value(named_predicate) AS named_predicate
  FROM standing GROUP BY subject_id, predicate_id, scope_id, absent, said, claim_no),
differing AS (
  SELECT subject_id, predicate_id, scope_id, absent, said, bool_or(before_certain) AS before_certain, bool_or(after_certain) AS after_certain,
    list(before_version) FILTER (before_version IS NOT NULL) AS before_versions,
    list(after_version) FILTER (after_version IS NOT NULL) AS after_versions
  FROM member
  GROUP BY subject_id, predicate_id, scope_id, absent, said
  HAVING bool_or(before_certain) IS DISTINCT FROM bool_or(after_certain)
    OR bool_or((before_version IS NULL) <> (after_version IS NULL))),
-- what became of claims between the two, and in which slots a batch made it so; held: the first base held such a claim
withdrawn AS (
  SELECT r.claim_no, r.kind, r.recorded_at, c.subject_id, c.predicate_id, c.scope_id,
    r.claim_no IN (SELECT k.claim_no FROM cb.claim AS k WHERE k.recorded_at <= $recorded_by) AS held
  FROM cb.retraction AS r JOIN cb.claim AS c ON c.version_id = r.version_id
  WHERE r.kind <> 'replaced' AND r.recorded_at > $recorded_by AND r.recorded_at <= $then_recorded_by
  UNION ALL
  SELECT claim_no, 'erased', recorded_at, subject_id, predicate_id, scope_id, true
  FROM cb.tombstone WHERE recorded_at > $recorded_by AND recorded_at <= $then_recorded_by),
became AS (SELECT claim_no, arg_max(kind, recorded_at) AS kind FROM withdrawn GROUP BY claim_no),
decided AS (
  SELECT subject_id, predicate_id, scope_id, recorded_at, min(kind) AS kind, bool_or(held) AS held
  FROM withdrawn GROUP BY subject_id, predicate_id, scope_id, recorded_at),
brought AS (
  SELECT c.claim_no, min(c.recorded_at) AS recorded_at FROM cb.claim AS c
  WHERE c.recorded_at > $recorded_by AND c.recorded_at <= $then_recorded_by AND (SELECT count(*) FROM decided) > 0
  GROUP BY c.claim_no),
cause AS (
  SELECT m.subject_id, m.predicate_id, m.scope_id, m.absent, m.said,
    list(DISTINCT b.kind) FILTER (m.after_version IS NULL AND b.kind IS NOT NULL) AS became,
    list(DISTINCT d.kind) FILTER (d.held) AS decisions, count(d.kind) > 0 AS decided
  FROM member AS m
  LEFT JOIN became AS b ON b.claim_no = m.claim_no
  LEFT JOIN brought AS n ON n.claim_no = m.claim_no AND m.before_version IS NULL
  LEFT JOIN decided AS d ON d.subject_id = m.named_subject AND d.predicate_id = m.named_predicate AND d.scope_id = m.scope_id
    AND d.recorded_at = coalesce(m.ended_at, n.recorded_at)
  WHERE (SELECT count(*) FROM decided) > 0 AND m.before_version IS DISTINCT FROM m.after_version
  GROUP BY m.subject_id, m.predicate_id, m.scope_id, m.absent, m.said)
SELECT s.provider, s.name AS subject, p.name AS predicate, o.qualifiers AS scope, d.before_certain, d.after_certain,
  d.before_versions, d.after_versions, coalesce(list_sort(x.became), []) AS became, coalesce(list_sort(x.decisions), []) AS decisions,
  coalesce(x.decided, false) AS decided
FROM differing AS d
JOIN cb.subject AS s ON s.subject_id = d.subject_id
JOIN cb.predicate AS p ON p.predicate_id = d.predicate_id
JOIN cb.scope AS o ON o.scope_id = d.scope_id
LEFT JOIN cb.value AS w ON w.value_id = d.said
LEFT JOIN cause AS x ON x.subject_id = d.subject_id AND x.predicate_id = d.predicate_id AND x.scope_id = d.scope_id
  AND x.absent = d.absent AND x.said = d.said
ORDER BY s.provider, s.name, p.name, o.scope_id <> 0, o.qualifiers, d.absent, w.value_key, d.said
