-- Freshness of what is active at least possibly, written by hand: the newest saying of each claim, aged by predicate.
WITH active AS (
  SELECT claim_no, predicate_id FROM cb.claim
  WHERE (from_earliest IS NULL OR from_earliest <= $t) AND (until_latest IS NULL OR until_latest > $t)
    AND observed_from <= $o AND (observed_until IS NULL OR observed_until > $o)
    AND recorded_at <= $o AND (retracted_at IS NULL OR retracted_at > $o)),
seen AS (
  SELECT claim_no, max(observed_at) AS last_seen FROM cb.entry
  WHERE kind = 'said' AND observed_at <= $o AND recorded_at <= $o AND claim_no IN (SELECT claim_no FROM active) GROUP BY claim_no)
SELECT p.name, count(DISTINCT a.claim_no), max(s.last_seen), min(s.last_seen)
FROM active AS a JOIN seen AS s USING (claim_no) JOIN cb.predicate AS p USING (predicate_id)
GROUP BY p.name ORDER BY p.name
