-- Read an argument as an instant; left out it is now: TIMESTAMPTZ, text with time and offset, or a day meaning its start in UTC (T7); in any session's zone.
CREATE OR REPLACE MACRO cb.instant(v) AS CASE
  WHEN v IS NULL THEN now()
  WHEN typeof(v) = 'TIMESTAMP WITH TIME ZONE' THEN v::VARCHAR::TIMESTAMPTZ
  WHEN regexp_full_match(v::VARCHAR, '\d{4}-\d\d-\d\d') THEN (v::VARCHAR || ' 00:00 UTC')::TIMESTAMPTZ
  WHEN regexp_full_match(v::VARCHAR, '\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d(:?\d\d)?)') THEN v::VARCHAR::TIMESTAMPTZ
  ELSE error('an instant needs an offset, or be a day: ' || v::VARCHAR) END
