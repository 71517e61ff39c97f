-- The rows that hold, as numbers; their texts stay in `staged`. What was erased never comes back.
CREATE OR REPLACE TEMP TABLE accepted AS
SELECT g.row, g.entry, g.ordinal, p.predicate_id, s.subject_id, o.scope_id, r.source_id, g.claim_no, g.observed_at, g.quote_id
FROM staged AS g
JOIN cb.predicate AS p ON p.name = g.predicate
JOIN cb.subject AS s ON s.provider_key = g.provider_key AND s.name_key = g.subject_key
JOIN cb.scope AS o ON o.qualifiers = g.qualifiers
JOIN cb.source AS r ON r.url_key = g.url_key
WHERE g.problem IS NULL AND NOT EXISTS (FROM cb.tombstone AS t WHERE t.claim_no = g.claim_no)
