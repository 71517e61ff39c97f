-- What each source said of itself by then: the newest description known at the basis; of two in one reading the greater, whichever
-- arrived first (B6).
CREATE OR REPLACE MACRO cb.source_described(observed_by, recorded_by) AS TABLE
  SELECT source_id, x.title AS title, x.publisher AS publisher, x.published_at AS published_at, x.source_type AS source_type,
    x.authority AS authority, x.derived_from AS derived_from
  FROM (
    SELECT source_id, arg_max(a, ROW(a.observed_at, a.title, a.publisher, a.published_at, a.source_type, a.authority, a.derived_from)) AS x
    FROM cb.source_attribute AS a WHERE a.observed_at <= observed_by AND a.recorded_at <= recorded_by
    GROUP BY source_id)
