-- The claims of a subject that hold at valid_at, and whether each is contradicted there: a side of a hard contradiction or one with an absence,
-- quotes that observed different values, or a verified quote that refutes it.
WITH held AS (
  SELECT DISTINCT claim_no FROM cb.standing($valid_at, $observed_by, $recorded_by, [$subject], NULL)),
pair AS (
  SELECT unnest([claim_no, other_no]) AS claim_no
  FROM cb.disputes($observed_by, $recorded_by, $valid_at, $valid_at + to_microseconds(1), [$subject], NULL, false)
  WHERE kind IN ('hard', 'absence')),
differing AS (
  SELECT k.claim_no FROM cb.claim_check AS k WHERE k.name = 'observed-values-agree' AND k.recorded_at <= $recorded_by
  GROUP BY k.claim_no HAVING arg_max(k.outcome, k.recorded_at) = 'failed'),
refuted AS (
  SELECT e.claim_no FROM cb.evidence_current($observed_by, $recorded_by) AS e WHERE e.role = 'refutes' AND e.status = 'verified')
SELECT h.claim_no, h.claim_no IN (SELECT claim_no FROM pair UNION ALL FROM differing UNION ALL FROM refuted) AS contradicted
FROM held AS h ORDER BY h.claim_no
