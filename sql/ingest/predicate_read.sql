-- Predicates as read, or why not.
CREATE OR REPLACE TEMP TABLE predicate_read (text VARCHAR, name VARCHAR, code VARCHAR, message VARCHAR)
