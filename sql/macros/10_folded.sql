-- A name as it is compared: composed, folded, trimmed, inner blanks single (V7).
CREATE OR REPLACE MACRO cb.folded(name) AS lower(nfc_normalize(trim(regexp_replace(name, '\s+', ' ', 'g'))))
