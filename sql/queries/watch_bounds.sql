-- The bounds of valid time after one instant and up to another of claims of some predicates that were held before the bound came.
SELECT DISTINCT bound
FROM (
  SELECT c.recorded_at, c.retracted_at, unnest([c.from_earliest, c.from_latest, c.until_earliest, c.until_latest]) AS bound
  FROM cb.claim AS c
  JOIN cb.meant($until) AS m ON m.predicate_id = c.predicate_id
  WHERE list_contains($predicates, m.name) AND (c.retracted_at IS NULL OR c.retracted_at > $after))
WHERE bound > $after AND bound <= $until AND bound > recorded_at AND (retracted_at IS NULL OR retracted_at > bound)
ORDER BY bound
