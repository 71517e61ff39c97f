-- What stays: the claim's place, the reason, and the digests of the lines that go (G6).
INSERT INTO cb.tombstone
SELECT t.claim_no, t.predicate_id, t.subject_id, t.scope_id, t.source_id, $reason,
  (SELECT coalesce(list({written_at: recorded_at, digest: digest} ORDER BY recorded_at, digest), []) FROM (
    SELECT recorded_at,
      cb.entry_leaf(claim_no, predicate_id, subject_id, scope_id, source_id, observed_at, ordinal, kind, quote_id) AS digest
    FROM erased_line)),
  $recorded_at
FROM cb.statement AS t WHERE t.claim_no = $claim_no
