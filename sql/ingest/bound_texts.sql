-- Number every distinct stated interval.
CREATE OR REPLACE TEMP TABLE bound_text AS
SELECT row_number() OVER () AS bound_ref, * FROM (
  SELECT DISTINCT effective_from, effective_until, effective_through, zone FROM incoming)
