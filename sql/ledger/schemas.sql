-- Schemas that hold tables of this file.
SELECT DISTINCT schema_name FROM duckdb_tables() WHERE NOT internal AND NOT temporary
