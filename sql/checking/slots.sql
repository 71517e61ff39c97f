-- How many slots there are.
SELECT count(*) FROM touched
