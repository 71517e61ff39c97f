-- How many rows a table holds; written once for all of them.
SELECT count(*) FROM cb.one
