-- Claims of which one follows another because we decided so, as their readings count (W6): supersede at effective_at, changed at the reading.
-- A link whose evidence was withdrawn is none.
CREATE OR REPLACE MACRO cb.links(recorded_by) AS TABLE
  WITH counted AS MATERIALIZED (FROM cb.attributed(recorded_by))
  SELECT DISTINCT d.kind, d.effective_at, d.observed_at AS o,
    CASE WHEN a.named IS NULL THEN d.claim_no ELSE a.counts_as END AS old_no,
    CASE WHEN b.named IS NULL THEN d.other_no ELSE b.counts_as END AS new_no
  FROM cb.decision AS d
  LEFT JOIN counted AS a ON a.named = d.claim_no AND a.o = d.observed_at
  LEFT JOIN counted AS b ON b.named = d.other_no AND b.o = d.observed_at
  WHERE d.kind IN ('supersede', 'changed') AND d.recorded_at <= recorded_by AND old_no <> new_no
