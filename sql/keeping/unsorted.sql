-- How many versions there are, and how many lie behind one that belongs after them: those that a compaction moves.
WITH placed AS (
  SELECT rowid AS place, predicate_id::HUGEINT * 4294967296 + subject_id AS slot, coalesce(epoch_us(from_latest), 9223372036854775807) AS start
  FROM cb.claim),
measured AS (
  SELECT slot * 18446744073709551616 + start AS key, max(slot * 18446744073709551616 + start) OVER (ORDER BY place) AS highest FROM placed)
SELECT count(*) AS versions, count(*) FILTER (WHERE key < highest) AS unsorted FROM measured
