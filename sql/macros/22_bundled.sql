-- The digests of all rows of each instant in one text, those that an erasure left behind among them: what the root of a batch is made of.
-- Two steps, so that a large batch is sorted in parts; a list is sorted faster than an aggregate's input,
-- and in base 64 takes two thirds of the memory (what no longer is a digest stays as it is, and is found).
CREATE OR REPLACE MACRO cb.bundled() AS TABLE
  WITH written AS (
    SELECT recorded_at, digest FROM cb.leaf()
    UNION ALL SELECT l.written_at, l.digest FROM (SELECT unnest(leaves) AS l FROM cb.tombstone)),
  part AS (
    SELECT recorded_at, left(digest, 2) AS begins, sha256(array_to_string(list_sort(list(coalesce(try(base64(unhex(digest))), digest)), 'ASC', 'NULLS FIRST'), '')) AS digest
    FROM written GROUP BY recorded_at, begins)
  SELECT recorded_at, string_agg(digest, '' ORDER BY begins) AS leaves FROM part GROUP BY recorded_at
