-- The macros that are stored in the base, as the engine writes them.
SELECT function_name, parameters::VARCHAR || ' ' || macro_definition AS definition FROM duckdb_functions()
WHERE schema_name = 'cb' AND database_name = current_database() AND function_type IN ('macro', 'table_macro') ORDER BY ALL
