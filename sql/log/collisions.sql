-- Claims whose number is taken by other content: two digests that share their first 64 bits, or a damaged base.
SELECT DISTINCT a.claim_no FROM accepted AS a JOIN cb.statement AS t ON t.claim_no = a.claim_no
JOIN staged AS g ON g.row = a.row
WHERE (t.predicate_id, t.subject_id, t.scope_id, t.source_id, t.value) IS DISTINCT FROM
  (a.predicate_id, a.subject_id, a.scope_id, a.source_id, g.value)
