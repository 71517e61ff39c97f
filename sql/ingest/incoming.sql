-- The staging table every caller fills: one row a claim or log entry, all texts, as they came.
CREATE OR REPLACE TEMP TABLE incoming (
  row BIGINT NOT NULL, entry VARCHAR, ordinal VARCHAR, provider VARCHAR, subject VARCHAR, predicate VARCHAR,
  scope VARCHAR, value VARCHAR, normalized_value VARCHAR, unit VARCHAR, polarity VARCHAR, complete VARCHAR,
  effective_from VARCHAR, effective_until VARCHAR, effective_through VARCHAR, zone VARCHAR, observed_at VARCHAR,
  quote VARCHAR, selector VARCHAR, reasoning VARCHAR, confidence VARCHAR, keep_unread VARCHAR, claim_id VARCHAR,
  source_url VARCHAR, source_title VARCHAR, source_publisher VARCHAR, source_published_at VARCHAR,
  source_type VARCHAR, source_authority VARCHAR, source_derived_from VARCHAR)
