-- How many pairs of claims contradict each other in a window of valid time.
SELECT count(DISTINCT (least(claim_no, other_no), greatest(claim_no, other_no))) AS n
FROM cb.disputes($observed_by, $recorded_by, $since, $before, $subjects, $predicates, false)
