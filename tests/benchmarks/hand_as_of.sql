-- What is certainly active, written by hand: how many, of which value altogether.
SELECT count(*), sum(value_min) FROM cb.claim
WHERE from_latest <= $t AND (until_earliest IS NULL OR until_earliest > $t)
  AND observed_from <= $o AND (observed_until IS NULL OR observed_until > $o)
  AND recorded_at <= $o AND (retracted_at IS NULL OR retracted_at > $o)
