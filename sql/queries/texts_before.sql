-- What a source was read with up to an instant: the digest of the text in use, the characters of the longest.
SELECT arg_max(coalesce(t.text_sha256, t.raw_sha256), (f.fetched_at, f.snapshot_id)) AS digest, coalesce(max(t.n_chars), 0) AS longest
FROM cb.fetch AS f JOIN cb.snapshot AS t ON t.snapshot_id = f.snapshot_id
WHERE f.source_id = $source_id AND cb.countable(f.disposition) AND f.disposition <> 'asserted' AND f.fetched_at <= $moment
