-- How many versions the batch retracted.
SELECT count(*) FROM obsolete
