-- Sources as read, or why not.
CREATE OR REPLACE TEMP TABLE source_read (
  source_ref BIGINT, uri VARCHAR, url_key VARCHAR, source_key VARCHAR, source_type VARCHAR, authority VARCHAR,
  derived_from VARCHAR, code VARCHAR, message VARCHAR)
