-- The versions as plain numbers, for other stores.
SELECT subject_id, predicate_id, scope_id, source_id, claim_no::VARCHAR AS claim_no, quote_id::VARCHAR AS quote_id, value_min::DOUBLE AS value,
  epoch_us(from_latest) AS from_latest, epoch_us(until_earliest) AS until_earliest, epoch_us(observed_at) AS observed_at,
  epoch_us(observed_from) AS observed_from, epoch_us(observed_until) AS observed_until, epoch_us(recorded_at) AS recorded_at,
  epoch_us(retracted_at) AS retracted_at
FROM cb.claim WHERE value_min IS NOT NULL ORDER BY predicate_id, subject_id, from_latest
