-- The instants at which what is known of some slots changed, on the observed or the recorded axis, as far as the basis sees.
WITH version AS (
  SELECT c.* FROM cb.claim AS c
  JOIN cb.meant($recorded_by) AS m ON m.predicate_id = c.predicate_id
  LEFT JOIN cb.canonical('subject', $recorded_by) AS s ON s.alias_id = c.subject_id
  WHERE ($subjects IS NULL OR list_contains($subjects, coalesce(s.canonical_id, c.subject_id)::INTEGER))
    AND ($predicates IS NULL OR list_contains($predicates, m.canonical_id)))
SELECT DISTINCT moment FROM (
  SELECT unnest(CASE WHEN $axis = 'recorded' THEN [recorded_at, retracted_at] ELSE [observed_from, observed_until] END) AS moment FROM version)
WHERE moment <= CASE WHEN $axis = 'recorded' THEN $recorded_by ELSE $observed_by END
ORDER BY moment
