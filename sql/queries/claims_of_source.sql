-- Claims of a source that may still hold when it is read again: the words of their newest version and where they stood.
SELECT c.claim_no, max_by(q.quote, c.observed_at) AS quote, max_by(v.evidence_id, (v.rank = 0, v.recorded_at)) AS evidence_id,
  max_by(v.start_char, (v.rank = 0, v.recorded_at)) AS start_char, max_by(v.prefix, (v.rank = 0, v.recorded_at)) AS prefix,
  max_by(v.suffix, (v.rank = 0, v.recorded_at)) AS suffix
FROM cb.visible($observed_by, $recorded_by) AS c
JOIN cb.quote AS q ON q.quote_id = c.quote_id
LEFT JOIN cb.evidence AS v ON v.claim_no = c.claim_no AND v.quote = q.quote
WHERE c.source_id = $source_id AND (c.until_latest IS NULL OR c.until_latest > $observed_at)
GROUP BY c.claim_no ORDER BY c.claim_no
