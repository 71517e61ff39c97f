-- Scopes as read, or why not.
CREATE OR REPLACE TEMP TABLE scope_read (text VARCHAR, qualifiers VARCHAR, code VARCHAR, message VARCHAR)
