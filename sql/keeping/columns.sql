-- The columns of every table of the base in use, in order.
SELECT t.table_name, c.column_name, c.data_type FROM duckdb_tables() AS t JOIN duckdb_columns() AS c USING (table_oid, database_oid)
WHERE t.schema_name = 'cb' AND t.database_name = current_database() ORDER BY t.table_name, c.column_index
