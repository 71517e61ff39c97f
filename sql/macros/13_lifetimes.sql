-- Where claims of a subject certainly hold although none of the claims on its lifetime (available and the like) possibly does (K9).
CREATE OR REPLACE MACRO cb.outside_lifetime(observed_by, recorded_by, since, before, subject_ids, predicate_ids) AS TABLE
  WITH declared AS (
    SELECT predicate_id, arg_max(declaration, d.recorded_at)::JSON AS body FROM cb.predicate_declaration AS d
    WHERE d.recorded_at <= recorded_by GROUP BY predicate_id),
  living AS (
    SELECT subject_id, coalesce(from_earliest, '-infinity'::TIMESTAMPTZ) AS begins, max(
        CASE WHEN until_earliest IS NULL OR until_latest IS NULL THEN 'infinity'::TIMESTAMPTZ ELSE until_latest END) AS ends
    FROM cb.spoken(observed_by, recorded_by, subject_ids, NULL)
    WHERE NOT absent AND says_nothing IS NULL AND (value_max IS NULL OR value_max > 0)
      AND predicate_id IN (SELECT predicate_id FROM declared WHERE body->>'$.lifetime_of' IS NOT NULL)
    GROUP BY ALL),
  -- the stretches between: before the first, and after each as long as none that began earlier goes on
  ordered AS (
    SELECT subject_id, begins, max(ends) OVER (w ROWS UNBOUNDED PRECEDING) AS reached, lead(begins) OVER w AS next_begins,
      row_number() OVER w AS place
    FROM living WINDOW w AS (PARTITION BY subject_id ORDER BY begins)),
  dead AS (
    SELECT subject_id, '-infinity'::TIMESTAMPTZ AS since_dead, begins AS until_alive FROM ordered WHERE place = 1
    UNION ALL SELECT subject_id, reached, coalesce(next_begins, 'infinity'::TIMESTAMPTZ) FROM ordered),
  outside AS (
    SELECT c.subject_id, c.predicate_id, c.scope_id, c.claim_no, greatest(c.from_latest, d.since_dead) AS outside_from,
      least(coalesce(c.until_earliest, 'infinity'::TIMESTAMPTZ), d.until_alive) AS outside_until
    FROM cb.spoken(observed_by, recorded_by, subject_ids, predicate_ids) AS c
    JOIN dead AS d ON d.subject_id = c.subject_id
    WHERE c.says_nothing IS DISTINCT FROM 'source_withdrawn' AND c.predicate_id NOT IN (
      SELECT predicate_id FROM declared WHERE body->>'$.lifetime_of' IS NOT NULL OR (body->>'$.timeless')::BOOLEAN))
  SELECT * EXCLUDE (outside_until), nullif(outside_until, 'infinity'::TIMESTAMPTZ) AS outside_until
  FROM outside
  WHERE outside_from < outside_until AND (before IS NULL OR outside_from < before) AND (since IS NULL OR outside_until > since)
