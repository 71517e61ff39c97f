-- The columns a full timeslice reads, as plain numbers for the memory-scan limit.
SELECT coalesce(epoch_us(from_earliest), 0) AS from_earliest, coalesce(epoch_us(from_latest), 0) AS from_latest,
  coalesce(epoch_us(until_earliest), 0) AS until_earliest, coalesce(epoch_us(until_latest), 0) AS until_latest,
  epoch_us(observed_from) AS observed_from, coalesce(epoch_us(observed_until), 0) AS observed_until,
  epoch_us(recorded_at) AS recorded_at, coalesce(epoch_us(retracted_at), 0) AS retracted_at, coalesce(value_min, 0)::DOUBLE AS value
FROM cb.claim
