-- Sources as read, or why not, beside the texts they were read from.
CREATE OR REPLACE TEMP TABLE source_read (
  given_url VARCHAR, given_type VARCHAR, given_authority VARCHAR, given_parent VARCHAR,
  uri VARCHAR, url_key VARCHAR, source_key VARCHAR, source_type VARCHAR, authority VARCHAR,
  derived_from VARCHAR, code VARCHAR, message VARCHAR)
