-- One field of a content with its length before it; no two rows of fields spelt one after the other are the same text (B6).
CREATE OR REPLACE MACRO cb.spelt(field) AS coalesce(length(field) || ':' || field, '-')
