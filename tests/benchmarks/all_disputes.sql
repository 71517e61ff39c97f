-- Contradictions over all time: how many pairs of each kind.
SELECT kind, sum(pairs) FROM cb.disputes($observed_by, $recorded_by, NULL, NULL, NULL, NULL, false) GROUP BY kind ORDER BY kind
