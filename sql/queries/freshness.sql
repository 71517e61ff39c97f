-- How old the active claims of each predicate are (Q9).
SELECT p.name AS predicate, any_value(a.stale_after) AS stale_after, count(DISTINCT a.claim_no) AS claims, max(a.last_seen) AS newest,
  min(a.last_seen) AS oldest, count(DISTINCT a.claim_no) FILTER (a.stale) AS stale,
  min(a.last_seen) FILTER (NOT a.stale) AS next_to_age
FROM cb.aged($valid_at, $observed_by, $recorded_by, $subjects, $predicates, $stale_days) AS a
JOIN cb.predicate AS p USING (predicate_id)
GROUP BY p.name ORDER BY p.name
