-- Stated intervals as read, or why not.
CREATE OR REPLACE TEMP TABLE bound_read (
  bound_ref BIGINT, from_kind VARCHAR, from_earliest TIMESTAMPTZ, from_latest TIMESTAMPTZ,
  until_kind VARCHAR, until_earliest TIMESTAMPTZ, until_latest TIMESTAMPTZ, code VARCHAR, message VARCHAR)
