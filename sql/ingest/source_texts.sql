-- Number every distinct description of a source.
CREATE OR REPLACE TEMP TABLE source_text AS
SELECT row_number() OVER () AS source_ref, * FROM (
  SELECT DISTINCT source_url, source_title, source_publisher, source_type, source_authority, source_derived_from
  FROM incoming)
