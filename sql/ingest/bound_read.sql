-- Stated intervals as read, or why not, beside the texts they were read from.
CREATE OR REPLACE TEMP TABLE bound_read (
  effective_from VARCHAR, effective_until VARCHAR, effective_through VARCHAR, zone VARCHAR,
  from_kind VARCHAR, from_earliest TIMESTAMPTZ, from_latest TIMESTAMPTZ,
  until_kind VARCHAR, until_earliest TIMESTAMPTZ, until_latest TIMESTAMPTZ, code VARCHAR, message VARCHAR)
