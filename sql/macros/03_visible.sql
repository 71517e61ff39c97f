-- The versions a basis can see: read by observed_by, held at recorded_by (A1).
CREATE OR REPLACE MACRO cb.visible(observed_by, recorded_by) AS TABLE
  SELECT c.* FROM cb.claim AS c
  WHERE c.observed_from <= observed_by AND (c.observed_until IS NULL OR c.observed_until > observed_by)
    AND c.recorded_at <= recorded_by AND (c.retracted_at IS NULL OR c.retracted_at > recorded_by)
