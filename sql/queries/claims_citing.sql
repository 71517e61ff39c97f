-- The claims that rest on some sources at a basis: their own, and those with live evidence there.
SELECT DISTINCT cb.claim_id(c.claim_no) AS claim_id
FROM cb.visible($observed_by, $recorded_by) AS c
JOIN cb.source AS r ON r.source_id = c.source_id WHERE list_contains($sources, r.source_key)
UNION
SELECT cb.claim_id(v.claim_no) FROM cb.evidence_current($observed_by, $recorded_by) AS v
JOIN cb.snapshot AS t ON t.snapshot_id = v.snapshot_id
JOIN cb.source AS r ON r.source_id = t.source_id WHERE list_contains($sources, r.source_key)
ORDER BY claim_id
