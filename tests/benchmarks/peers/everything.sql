-- Everything active.
SELECT count(*), sum(c.value) FROM __ACTIVE__ AS c
