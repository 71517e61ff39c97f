-- One digest over every row of every append-only table, however they lie in the file: the digests that the ledger makes of them, those of
-- the ledger's own rows, and what a row's digest leaves to others to prove: texts, the bytes of receipts, when versions ended.
WITH line AS (
  SELECT digest FROM cb.leaf()
  UNION ALL SELECT sha256('batch' || to_json(t)::VARCHAR) FROM cb.batch AS t
  UNION ALL SELECT sha256('migration' || to_json(t)::VARCHAR) FROM cb.migration AS t
  UNION ALL SELECT sha256(concat_ws('|', 'text', snapshot_id, sha256(text))) FROM cb.snapshot WHERE text IS NOT NULL
  UNION ALL SELECT sha256(concat_ws('|', 'canonical', receipt_id, sha256(canonical))) FROM cb.receipt WHERE canonical IS NOT NULL
  UNION ALL SELECT sha256(concat_ws('|', 'ended', version_id, epoch_us(retracted_at))) FROM cb.claim WHERE retracted_at IS NOT NULL),
part AS (SELECT left(digest, 2) AS begins, sha256(string_agg(digest, '' ORDER BY digest)) AS digest FROM line GROUP BY begins)
SELECT sha256(string_agg(digest, '' ORDER BY begins)) AS state FROM part
