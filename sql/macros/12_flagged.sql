-- Sources whose claims a reader must be warned of, with the warnings (R2): withdrawn ones, and all that restate one, however far down.
CREATE OR REPLACE MACRO cb.flagged(observed_by, recorded_by) AS TABLE
  WITH RECURSIVE gone AS (
    SELECT source_id, reason FROM cb.withdrawn(recorded_by)),
  edge AS (
    SELECT d.source_id, p.source_id AS parent_id
    FROM cb.source_described(observed_by, recorded_by) AS d JOIN cb.source AS p ON p.url_key = d.derived_from
    WHERE (SELECT count(*) FROM gone) > 0),
  restating AS (
    SELECT e.source_id FROM edge AS e JOIN gone AS g ON g.source_id = e.parent_id
    UNION SELECT e.source_id FROM restating AS r JOIN edge AS e ON e.parent_id = r.source_id)
  SELECT source_id, list(flag ORDER BY place) AS flags FROM (
    SELECT source_id, 1 AS place, 'source withdrawn: ' || reason AS flag FROM gone
    UNION ALL SELECT source_id, 2, 'derived from a withdrawn source' FROM restating)
  GROUP BY source_id
