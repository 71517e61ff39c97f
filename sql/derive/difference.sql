-- What changes in the touched slots: standing versions that no longer follow, with their number, and versions that newly follow.
CREATE OR REPLACE TEMP TABLE difference AS
WITH version AS (
  SELECT t.predicate_id, t.subject_id, t.scope_id, t.source_id, d.claim_no, d.quote_id,
    m.value_min, m.value_max, m.value_id, m.unit_id, t.absent, t.complete, m.min_open, m.max_open,
    t.from_kind IN ('known', 'imprecise') AS dated, t.until_kind <> 'open' AS bounded,
    d.from_earliest, d.from_latest, d.until_earliest, d.until_latest, d.observed_at, d.observed_from, d.observed_until
  FROM derived AS d
  JOIN cb.statement AS t USING (claim_no)
  JOIN cb.meaning AS m USING (claim_no)
  WHERE NOT EXISTS (FROM cb.meaning AS n WHERE n.claim_no = m.claim_no AND n.recorded_at > m.recorded_at)),
standing AS (
  FROM cb.claim SEMI JOIN touched USING (predicate_id, subject_id, scope_id) WHERE retracted_at IS NULL)
SELECT s.version_id, v.* REPLACE (
  coalesce(v.claim_no, s.claim_no) AS claim_no, coalesce(v.observed_at, s.observed_at) AS observed_at)
FROM version AS v
FULL JOIN standing AS s ON s.claim_no = v.claim_no AND s.observed_from = v.observed_from AND s.observed_at = v.observed_at
  AND (s.quote_id, s.value_id, s.unit_id, s.from_earliest, s.from_latest, s.until_earliest, s.until_latest, s.observed_until)
    IS NOT DISTINCT FROM
    (v.quote_id, v.value_id, v.unit_id, v.from_earliest, v.from_latest, v.until_earliest, v.until_latest, v.observed_until)
WHERE s.version_id IS NULL OR v.claim_no IS NULL
