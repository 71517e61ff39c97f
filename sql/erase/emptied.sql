-- The snapshots that hold the claim's words and the receipts that tell of it: they lose their content, their digests stay.
CREATE OR REPLACE TEMP TABLE emptied AS
SELECT DISTINCT s.snapshot_id AS id FROM cb.snapshot AS s JOIN cb.evidence AS v ON v.snapshot_id = s.snapshot_id
WHERE v.claim_no = $claim_no AND s.text IS NOT NULL
UNION SELECT receipt_id FROM cb.receipt WHERE contains(canonical, cb.claim_id($claim_no::UBIGINT))
