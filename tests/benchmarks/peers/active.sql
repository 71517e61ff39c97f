(SELECT * FROM claim WHERE from_latest <= __T__ AND (until_earliest IS NULL OR until_earliest > __T__)
  AND observed_from <= __O__ AND (observed_until IS NULL OR observed_until > __O__)
  AND recorded_at <= __R__ AND (retracted_at IS NULL OR retracted_at > __R__))
