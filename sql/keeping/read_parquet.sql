-- Read the rows of one table from a file; cb.one stands for each table in turn.
INSERT INTO cb.one BY NAME FROM read_parquet($path)
