-- Whether this very decision was taken before: then it is nothing at all (B6).
SELECT EXISTS (FROM cb.decision AS d WHERE d.kind = $kind AND d.claim_no = $claim_no AND d.other_no = $other_no
  AND (d.effective_at, d.observed_at) IS NOT DISTINCT FROM ($effective_at::TIMESTAMPTZ, $observed_at::TIMESTAMPTZ))
