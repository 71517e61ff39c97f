-- Write the rows of one table to a file; cb.one stands for each table in turn.
COPY cb.one TO $path (FORMAT json)
