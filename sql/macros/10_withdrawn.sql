-- The sources that no longer count as support, and why (R2). What we held of them before stays as it was (A3).
CREATE OR REPLACE MACRO cb.withdrawn(recorded_by) AS TABLE
  SELECT source_id, min(reason) AS reason FROM cb.withdrawal AS w WHERE w.recorded_at <= recorded_by GROUP BY source_id
