SELECT subject_id, claim_no, quote_id, source_id, observed_at, __BIT__ AS bit FROM cb.claim
WHERE predicate_id = $p__I__ AND scope_id = 0 AND from_latest <= $t AND (until_earliest IS NULL OR until_earliest > $t)
  AND observed_from <= $o AND (observed_until IS NULL OR observed_until > $o)
  AND recorded_at <= $o AND (retracted_at IS NULL OR retracted_at > $o) AND value_min __OP__ $v__I__
