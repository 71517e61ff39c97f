-- Instants as read, or why not.
CREATE OR REPLACE TEMP TABLE instant_read (text VARCHAR, moment TIMESTAMPTZ, code VARCHAR, message VARCHAR)
