-- Public: how old the active claims of each predicate are at observed_by. FROM cb.freshness(observed_by := '2026-03-31')
CREATE OR REPLACE MACRO cb.freshness(valid_at := NULL, observed_by := NULL, recorded_by := NULL, stale_days := NULL) AS TABLE
  WITH basis AS (
    SELECT cb.instant(valid_at) AS v, cb.past(observed_by, 'observed_by') AS o, cb.past(recorded_by, 'recorded_by') AS r)
  SELECT p.name AS predicate, count(DISTINCT a.claim_no) AS claims, max(a.last_seen) AS newest, min(a.last_seen) AS oldest,
    count(DISTINCT a.claim_no) FILTER (a.stale) AS stale, any_value(a.stale_after) AS stale_after
  FROM cb.aged((SELECT b.v FROM basis AS b), (SELECT b.o FROM basis AS b), (SELECT b.r FROM basis AS b), NULL, NULL, stale_days) AS a
  JOIN cb.predicate AS p ON p.predicate_id = a.predicate_id
  GROUP BY p.name ORDER BY p.name
