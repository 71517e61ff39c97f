-- What the schema consists of: every column of every table and view, with its type.
SELECT table_name || '.' || column_name AS name, data_type || CASE WHEN is_nullable THEN '' ELSE ' NOT NULL' END AS type
FROM duckdb_columns() WHERE schema_name = 'cb' AND database_name = current_database() ORDER BY ALL
