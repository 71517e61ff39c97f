-- One predicate: how many claims are active, of which value altogether.
SELECT count(*), sum(c.value) FROM __ACTIVE__ AS c WHERE c.predicate_id = 3
