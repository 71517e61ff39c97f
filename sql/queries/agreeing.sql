-- Who says the same at valid_at: for each value that claims asked for have in a slot, those claims, and all claims of it and of compatible
-- values with their sources (K4, V9). What decides nothing (R2, V2, P3) agrees with nothing, nor does a claim whose quotes were all found wanting.
WITH chosen AS (SELECT unnest($claims::UBIGINT[]) AS claim_no),
wanting AS (
  SELECT claim_no FROM cb.evidence_current($observed_by, $recorded_by) AS e
  GROUP BY claim_no HAVING bool_and(coalesce(e.status, '') IN ('altered', 'not-found', 'ambiguous'))),
holding AS MATERIALIZED (
  SELECT v.subject_id, v.predicate_id, v.scope_id, CASE WHEN v.absent THEN 0 ELSE v.value_id END AS said, v.absent, v.numeric,
    v.unit_id, v.value_min, v.value_max, v.min_open, v.max_open, v.tolerance, v.claim_no, v.source_id,
    v.claim_no IN (FROM chosen) AS asked
  FROM cb.spoken($observed_by, $recorded_by, $subjects, NULL) AS v
  SEMI JOIN cb.active($valid_at, $observed_by, $recorded_by) AS a ON a.version_id = v.version_id
  WHERE v.says_nothing IS NULL),
slot AS (SELECT DISTINCT subject_id, predicate_id, scope_id FROM holding WHERE asked),
heard AS MATERIALIZED (
  SELECT h.subject_id, h.predicate_id, h.scope_id, h.said, h.absent, h.numeric, h.unit_id, h.value_min, h.value_max, h.min_open, h.max_open,
    h.tolerance, coalesce(list(DISTINCT h.claim_no) FILTER (h.asked), []) AS asked,
    coalesce(list(DISTINCT {claim_no: h.claim_no, source_id: r.source_key}) FILTER (h.claim_no NOT IN (FROM wanting)), []) AS claims
  FROM holding AS h
  SEMI JOIN slot AS s ON s.subject_id = h.subject_id AND s.predicate_id = h.predicate_id AND s.scope_id = h.scope_id
  JOIN cb.source AS r ON r.source_id = h.source_id
  GROUP BY ALL),
agreement AS (
  SELECT a.asked, a.claims FROM heard AS a
  UNION ALL
  SELECT a.asked, b.claims
  FROM heard AS a JOIN heard AS b ON b.subject_id = a.subject_id AND b.predicate_id = a.predicate_id AND b.scope_id = a.scope_id
  WHERE a.said <> b.said AND NOT a.absent AND NOT b.absent AND a.numeric AND b.numeric AND a.unit_id IS NOT DISTINCT FROM b.unit_id
    AND NOT cb.apart(a.value_min, b.value_max, a.min_open OR b.max_open, a.tolerance)
    AND NOT cb.apart(b.value_min, a.value_max, b.min_open OR a.max_open, a.tolerance))
SELECT asked, flatten(list(claims)) AS agreeing FROM agreement WHERE len(asked) > 0 GROUP BY asked ORDER BY asked
