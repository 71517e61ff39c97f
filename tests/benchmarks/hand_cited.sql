-- The same with its citations: hits materialised once, subjects found, texts joined late.
WITH hit AS MATERIALIZED (__BRANCHES__),
found AS (SELECT subject_id FROM hit GROUP BY subject_id HAVING bit_or(bit) = $mask)
SELECT s.provider, s.name, h.bit, t.value, q.quote, r.uri, h.observed_at
FROM hit AS h SEMI JOIN found USING (subject_id)
JOIN cb.subject AS s USING (subject_id) JOIN cb.statement AS t USING (claim_no)
JOIN cb.quote AS q USING (quote_id) JOIN cb.source AS r ON r.source_id = h.source_id
ORDER BY s.provider, s.name, h.bit, h.claim_no
