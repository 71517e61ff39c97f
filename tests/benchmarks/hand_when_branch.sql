SELECT subject_id, __BIT__ AS bit, from_latest AS begins, coalesce(until_earliest, 'infinity'::TIMESTAMPTZ) AS ends FROM cb.claim
WHERE predicate_id = $p__I__ AND scope_id = 0 AND from_latest IS NOT NULL
  AND observed_from <= $o AND (observed_until IS NULL OR observed_until > $o)
  AND recorded_at <= $o AND (retracted_at IS NULL OR retracted_at > $o) AND value_min __OP__ $v__I__
