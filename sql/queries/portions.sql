-- Predicates by what they are called now, with how many versions each has: a slot lies in one, so large bases are looked through in parts.
SELECT m.canonical_id, sum(c.versions)::BIGINT AS versions
FROM (SELECT predicate_id, count(*) AS versions FROM cb.claim GROUP BY predicate_id) AS c
JOIN cb.meant($recorded_by) AS m USING (predicate_id)
WHERE $predicates IS NULL OR list_contains($predicates, m.canonical_id)
GROUP BY m.canonical_id ORDER BY m.canonical_id
