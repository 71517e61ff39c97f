-- Versions visible at a basis, narrowed by names; newest observation first.
SELECT * EXCLUDE (claim_no, subject_id, predicate_id, scope_id, source_no, version_id)
FROM cb.described($observed_by, $recorded_by)
WHERE ($subject IS NULL OR lower(subject) = lower($subject))
  AND ($provider IS NULL OR lower(provider) = lower($provider))
  AND ($predicate IS NULL OR list_contains($predicate, predicate))
  AND ($source IS NULL OR url = $source OR source_id = $source)
ORDER BY provider, subject, predicate, scope, from_latest NULLS FIRST, claim_id, observed_from
LIMIT $limit
