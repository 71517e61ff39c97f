-- Read the rows of one table from a file of JSON lines; cb.one stands for each table in turn.
INSERT INTO cb.one BY NAME FROM read_json($path, format = 'newline_delimited', columns = $columns, maximum_object_size = $longest)
