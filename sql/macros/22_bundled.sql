-- The digests of all rows of each instant in one text, those that an erasure left behind among them: what the root of a batch is made of.
-- Two steps, so that a large batch is sorted in parts; a list is sorted faster than an aggregate's input,
-- and in base 64 takes two thirds of the memory (what no longer is a digest stays as it is, and is found).
-- No aggregate can be put aside on disk: a lot of the digests at a time is gathered, while the others wait where they can be.
-- wanted: the instant, NULL = all.
CREATE OR REPLACE MACRO cb.bundled(wanted := NULL) AS TABLE
  WITH written AS MATERIALIZED (
    SELECT recorded_at, left(digest, 2) AS begins, coalesce(ascii(digest) % 4, 0) AS lot, coalesce(try(base64(unhex(digest))), digest) AS digest
    FROM (
      SELECT recorded_at, digest FROM cb.leaf()
      UNION ALL SELECT l.written_at, l.digest FROM (SELECT unnest(leaves) AS l FROM cb.tombstone))
    WHERE wanted IS NULL OR recorded_at = wanted),
  part AS (
    SELECT recorded_at, begins, sha256(array_to_string(list_sort(list(digest), 'ASC', 'NULLS FIRST'), '')) AS digest FROM written WHERE lot = 0 GROUP BY recorded_at, begins
    UNION ALL SELECT recorded_at, begins, sha256(array_to_string(list_sort(list(digest), 'ASC', 'NULLS FIRST'), '')) AS digest FROM written WHERE lot = 1 GROUP BY recorded_at, begins
    UNION ALL SELECT recorded_at, begins, sha256(array_to_string(list_sort(list(digest), 'ASC', 'NULLS FIRST'), '')) AS digest FROM written WHERE lot = 2 GROUP BY recorded_at, begins
    UNION ALL SELECT recorded_at, begins, sha256(array_to_string(list_sort(list(digest), 'ASC', 'NULLS FIRST'), '')) AS digest FROM written WHERE lot = 3 GROUP BY recorded_at, begins)
  SELECT recorded_at, string_agg(digest, '' ORDER BY begins) AS leaves FROM part GROUP BY recorded_at
