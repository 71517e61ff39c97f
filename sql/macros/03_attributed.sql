-- What the readings count as that our own decisions cover (B6): as nothing (retract, erase) or as another claim's (correct), following
-- the decisions in the order they were taken. Readings that no decision covers are not listed.
CREATE OR REPLACE MACRO cb.attributed(recorded_by) AS TABLE
  WITH RECURSIVE covering AS (
    SELECT d.claim_no, CASE WHEN d.kind = 'correct' THEN d.other_no END AS becomes, d.decided_at, d.quote_id
    FROM cb.decision AS d WHERE d.kind IN ('correct', 'retract', 'erase') AND d.recorded_at <= recorded_by),
  reading AS (
    SELECT e.claim_no, e.observed_at AS o FROM cb.entry AS e SEMI JOIN covering AS c ON c.claim_no = e.claim_no
    WHERE e.recorded_at <= recorded_by
    UNION SELECT unnest([d.claim_no, d.other_no]), d.observed_at FROM cb.decision AS d
    WHERE d.observed_at IS NOT NULL AND d.recorded_at <= recorded_by),
  step AS (
    SELECT claim_no AS named, o, claim_no AS counts_as, NULL::TIMESTAMPTZ AS decided_at, NULL::UBIGINT AS quote_id FROM reading
    UNION ALL
    SELECT s.named, s.o, c.becomes, c.decided_at, c.quote_id
    FROM step AS s JOIN covering AS c ON c.claim_no = s.counts_as AND c.decided_at >= s.o
      AND (s.decided_at IS NULL OR c.decided_at > s.decided_at)
    QUALIFY row_number() OVER (PARTITION BY s.named, s.o ORDER BY c.decided_at, c.becomes) = 1)
  SELECT named, o, arg_max(ROW(counts_as), decided_at)[1] AS counts_as, arg_max(ROW(quote_id), decided_at)[1] AS quote_id
  FROM step WHERE decided_at IS NOT NULL GROUP BY named, o
