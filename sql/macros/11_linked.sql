-- Pairs of claims that a verb linked (K8): the one that was superseded, changed or corrected, and the other; each of the two also by what it
-- was corrected to since. Each pair stands in both orders.
CREATE OR REPLACE MACRO cb.linked(observed_by, recorded_by) AS TABLE
  WITH RECURSIVE link AS (
    SELECT kind, claim_no, other_no FROM cb.decision AS d
    WHERE d.kind IN ('supersede', 'changed', 'correct') AND d.recorded_at <= recorded_by
      AND (d.observed_at IS NULL OR d.observed_at <= observed_by)),
  followed AS (
    SELECT claim_no, other_no FROM link
    UNION
    SELECT CASE WHEN f.claim_no = c.claim_no THEN c.other_no ELSE f.claim_no END,
      CASE WHEN f.claim_no = c.claim_no THEN f.other_no ELSE c.other_no END
    FROM followed AS f JOIN link AS c ON c.kind = 'correct' AND c.claim_no IN (f.claim_no, f.other_no))
  SELECT claim_no, other_no FROM followed WHERE claim_no <> other_no
  UNION SELECT other_no, claim_no FROM followed WHERE claim_no <> other_no
