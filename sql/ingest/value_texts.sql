-- Number every distinct value text with all that decides how it is read.
CREATE OR REPLACE TEMP TABLE value_text AS
SELECT row_number() OVER () AS value_ref, * FROM (
  SELECT DISTINCT predicate, value, normalized_value, unit, polarity, keep_unread FROM incoming)
