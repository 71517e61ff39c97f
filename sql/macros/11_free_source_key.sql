-- The id that a new address gets: s_ and 12 digits of its digest; where another address has it, the digest of the address and a number.
CREATE OR REPLACE MACRO cb.free_source_key(page) AS (
  SELECT min_by(made.source_key, made.salt)
  FROM (
    SELECT n.salt, 's_' || left(sha1(page || CASE n.salt WHEN 0 THEN '' ELSE '#' || n.salt END), 12) AS source_key
    FROM range(16) AS n(salt)) AS made
  WHERE made.source_key NOT IN (SELECT s.source_key FROM cb.source AS s))
