-- Every distinct address of a source with what decides how it is read.
SELECT DISTINCT source_url, source_type, source_authority, source_derived_from FROM incoming
