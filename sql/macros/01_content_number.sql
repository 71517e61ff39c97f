-- The number of a content: the first 64 bits of the digest of its fields, spelt one after the other (B6).
CREATE OR REPLACE MACRO cb.content_number(spelt) AS ('0x' || substr(sha256(spelt), 1, 16))::UBIGINT
