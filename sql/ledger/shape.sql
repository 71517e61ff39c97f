-- What the schema consists of: every column of every table and view with its type, and every guard with its text.
SELECT table_name || '.' || column_name AS name, data_type || CASE WHEN is_nullable THEN '' ELSE ' NOT NULL' END AS type
FROM duckdb_columns() WHERE schema_name = 'cb' AND database_name = current_database()
UNION ALL
SELECT table_name || ', guard ' || trigger_name, sql
FROM duckdb_triggers() WHERE database_name = current_database()
ORDER BY ALL
