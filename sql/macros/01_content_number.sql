-- The first 64 bits of the digest of some fields, each with its length before it, so that no two rows of fields spell the same text (B6).
CREATE OR REPLACE MACRO cb.content_number(fields) AS
  ('0x' || substr(sha256(array_to_string(list_transform(fields, lambda v: coalesce(length(v) || ':' || v, '-')), '')), 1, 16))::UBIGINT
