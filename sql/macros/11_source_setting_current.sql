-- What was decided about each source by then: whether it may be used, how long it stays fresh, its publication, its tenant, what it copies.
CREATE OR REPLACE MACRO cb.source_setting_current(recorded_by) AS TABLE
  SELECT source_id, x.allowed AS allowed, x.allowed_reason AS allowed_reason, x.freshness_days AS freshness_days, x.doi_key AS doi_key,
    x.tenant AS tenant, x.mirror_of AS mirror_of
  FROM (
    SELECT s.source_id, arg_max(s, s.recorded_at) AS x FROM cb.source_setting AS s WHERE s.recorded_at <= recorded_by GROUP BY s.source_id)
