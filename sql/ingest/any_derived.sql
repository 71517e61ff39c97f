-- Whether any source of the input is said to restate another one.
SELECT EXISTS (FROM source_read WHERE derived_from IS NOT NULL)
