-- The instants at which visible claims of some predicates about some subjects begin or end, or may do so.
SELECT DISTINCT bound FROM (
  SELECT unnest([from_earliest, from_latest, until_earliest, until_latest]) AS bound
  FROM cb.spoken($observed_by, $recorded_by, $subjects, $predicates))
WHERE bound IS NOT NULL ORDER BY bound
