-- Whether a least value lies above a greatest one by more than the tolerance allows (V4, V9); exact, unless the numbers outgrow a decimal.
CREATE OR REPLACE MACRO cb.apart(low, high, is_open, tolerance) AS CASE
  WHEN low IS NULL OR high IS NULL OR low < high THEN false
  WHEN low = high THEN is_open AND (tolerance = 0 OR low = 0)
  WHEN tolerance = 0 THEN true
  ELSE coalesce(
    TRY(low - high > greatest(abs(low), abs(high)) * tolerance::DECIMAL(9, 8)
      OR is_open AND low - high = greatest(abs(low), abs(high)) * tolerance::DECIMAL(9, 8)),
    low::DOUBLE - high::DOUBLE > greatest(abs(low::DOUBLE), abs(high::DOUBLE)) * tolerance::DOUBLE) END
