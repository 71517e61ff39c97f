-- One field of a digest: its length before it, so that no two rows of fields spell the same text (B6).
CREATE OR REPLACE MACRO cb.part(v) AS CASE WHEN v IS NULL THEN '-' ELSE length(v) || ':' || v END
