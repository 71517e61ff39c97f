-- Read an argument as an instant that has come: nobody can have observed or recorded anything later (A5).
CREATE OR REPLACE MACRO cb.past(v, axis) AS
  CASE WHEN cb.instant(v) <= now() THEN cb.instant(v) ELSE error(axis || ' lies in the future') END
