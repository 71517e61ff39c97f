-- What is active at least possibly, written by hand: how many certain and only possible ones, of which value altogether.
SELECT certain, count(*), sum(value_min) FROM (
  SELECT value_min, (from_latest IS NOT NULL AND from_latest <= $t AND (until_earliest IS NULL OR until_earliest > $t)) AS certain
  FROM cb.claim
  WHERE (from_earliest IS NULL OR from_earliest <= $t) AND (until_latest IS NULL OR until_latest > $t)
    AND observed_from <= $o AND (observed_until IS NULL OR observed_until > $o)
    AND recorded_at <= $o AND (retracted_at IS NULL OR retracted_at > $o))
GROUP BY certain ORDER BY certain
