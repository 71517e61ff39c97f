-- What stays: the claim's place, the reason, and the digests of every row that went (G6).
INSERT INTO cb.tombstone
SELECT p.claim_no, p.predicate_id, p.subject_id, p.scope_id, p.source_id, $reason,
  (SELECT coalesce(list({written_at: recorded_at, digest: digest} ORDER BY recorded_at, digest), []) FROM (
    FROM leaf_before EXCEPT ALL SELECT recorded_at, digest FROM cb.leaf() WHERE recorded_at < $recorded_at)),
  $recorded_at, (SELECT list(id ORDER BY id) FROM emptied)
FROM erased_place AS p
