-- The newest verdict on each thing judged by then, by what it depends on.
SELECT cache_key, x.verdict AS verdict, x.method AS method, x.checker AS checker, x.evidence_span AS span,
  x.downgraded_from AS downgraded_from, x.note AS note
FROM (SELECT cache_key, max_by(s, s.recorded_at) AS x FROM cb.support_check AS s WHERE s.recorded_at <= $recorded_by GROUP BY cache_key)
ORDER BY cache_key
