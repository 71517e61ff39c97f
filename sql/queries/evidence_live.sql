-- Live evidence of some claims, NULL = of all, by claim and rank.
SELECT v.* FROM cb.evidence_current($observed_by, $recorded_by) AS v
WHERE $claims IS NULL OR list_contains($claims::UBIGINT[], v.claim_no)
ORDER BY v.claim_no, v.rank, v.evidence_id
