-- Every distinct stated interval.
SELECT DISTINCT effective_from, effective_until, effective_through, zone FROM incoming
