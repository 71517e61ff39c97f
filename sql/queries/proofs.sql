-- How the quotes of some claims stand in the texts they are bound to: verified if one is, else what the worst says (P6).
SELECT claim_no, CASE WHEN bool_or(status = 'verified') THEN 'verified' ELSE coalesce(min(status), 'unverifiable') END AS evidence
FROM cb.evidence_current($observed_by, $recorded_by)
WHERE role IN ('supports', 'absence') AND list_contains($claims::UBIGINT[], claim_no) GROUP BY claim_no
