-- Values as read, or why not, beside the texts they were read from.
CREATE OR REPLACE TEMP TABLE value_read (
  predicate VARCHAR, value VARCHAR, normalized_value VARCHAR, stated_unit VARCHAR, polarity VARCHAR, keep_unread VARCHAR,
  shown VARCHAR, value_key VARCHAR, value_id UBIGINT, unit VARCHAR, dimension VARCHAR,
  value_min DECIMAL(38, 12), value_max DECIMAL(38, 12), min_open BOOLEAN, max_open BOOLEAN, approximate BOOLEAN,
  value_precision VARCHAR, code VARCHAR, message VARCHAR)
