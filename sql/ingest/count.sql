-- How many rows are staged.
SELECT count(*) FROM incoming
