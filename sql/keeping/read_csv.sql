-- Read the rows of one table from a file; cb.one stands for each table in turn. What is empty and not in quotes is NULL.
INSERT INTO cb.one BY NAME FROM read_csv($path, auto_detect = false, header = true, delim = ',', quote = '"', escape = '"',
  new_line = '\n', nullstr = '', allow_quoted_nulls = false, columns = $columns, max_line_size = $longest)
