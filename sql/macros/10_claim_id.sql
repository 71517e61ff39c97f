-- The claim's id as people see it.
CREATE OR REPLACE MACRO cb.claim_id(claim_no) AS 'c_' || lpad(lower(to_hex(claim_no)), 16, '0')
