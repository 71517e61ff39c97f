-- Quotes of claims that no evidence binds to a text yet, each with a text of its source: the one read when the claim was, else the newest.
-- same_reading: the text was read at the very reading that brought the quote. sources: narrows to some, NULL = all.
WITH said AS (
  SELECT e.claim_no, e.source_id, e.quote_id, list(DISTINCT e.observed_at) AS read_at FROM cb.entry AS e
  WHERE e.kind = 'said' AND e.quote_id IS NOT NULL AND ($sources IS NULL OR list_contains($sources::INTEGER[], e.source_id))
  GROUP BY e.claim_no, e.source_id, e.quote_id),
unbound AS (
  SELECT s.*, q.quote FROM said AS s JOIN cb.quote AS q ON q.quote_id = s.quote_id
  WHERE NOT EXISTS (FROM cb.evidence AS v WHERE v.claim_no = s.claim_no AND v.quote = q.quote)),
texts AS (
  SELECT DISTINCT f.source_id, f.snapshot_id, f.fetched_at FROM cb.fetch AS f JOIN cb.snapshot AS t ON t.snapshot_id = f.snapshot_id
  WHERE cb.countable(f.disposition) AND t.text IS NOT NULL)
SELECT u.claim_no, u.quote, coalesce(
    arg_max(t.snapshot_id, (t.fetched_at, t.snapshot_id)) FILTER (list_contains(u.read_at, t.fetched_at)),
    arg_max(t.snapshot_id, (t.fetched_at, t.snapshot_id))) AS snapshot_id,
  bool_or(list_contains(u.read_at, t.fetched_at)) AS same_reading
FROM unbound AS u JOIN texts AS t ON t.source_id = u.source_id
GROUP BY u.claim_no, u.quote_id, u.quote ORDER BY u.claim_no, u.quote_id
