-- What was decided about a source.
INSERT INTO cb.source_setting (source_id, allowed, allowed_reason, freshness_days, doi_key, tenant, mirror_of, recorded_at)
VALUES ($source_id, $allowed, $allowed_reason, $freshness_days, $doi_key, $tenant, $mirror_of, $recorded_at)
