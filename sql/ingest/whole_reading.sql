-- The readings of a source read whole that this load brings.
CREATE OR REPLACE TEMP TABLE whole_reading (url_key VARCHAR, observed_at TIMESTAMPTZ, declared_version VARCHAR)
