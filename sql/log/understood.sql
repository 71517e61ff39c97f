-- Where values read again are put.
CREATE OR REPLACE TEMP TABLE understood (
  claim_no UBIGINT, value_key VARCHAR, value_id UBIGINT, unit VARCHAR, dimension VARCHAR, value_min DECIMAL(38, 12),
  value_max DECIMAL(38, 12), min_open BOOLEAN, max_open BOOLEAN, approximate BOOLEAN, value_precision VARCHAR)
