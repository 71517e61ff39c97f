-- Several predicates of subjects at every instant (H4): one row for each maximal stretch in which every predicate has a value and none
-- changes, one per combination where values disagree; certain where all values certainly hold, else only possible. Claims without scope.
WITH RECURSIVE wanted AS (
  SELECT unnest($predicates::SMALLINT[]) AS predicate_id, generate_subscripts($predicates::SMALLINT[], 1) AS place),
shown AS (
  SELECT c.version_id, c.subject_id, w.place, c.value_id,
    coalesce(c.from_earliest, '-infinity'::TIMESTAMPTZ) AS begins,
    CASE WHEN c.until_earliest IS NULL OR c.until_latest IS NULL THEN 'infinity'::TIMESTAMPTZ ELSE c.until_latest END AS ends,
    c.from_latest AS sure_from, coalesce(c.until_earliest, 'infinity'::TIMESTAMPTZ) AS sure_until
  FROM cb.spoken($observed_by, $recorded_by, $subjects, $predicates) AS c
  JOIN wanted AS w ON w.predicate_id = c.predicate_id
  WHERE c.scope_id = 0 AND NOT c.absent),
bound AS (
  SELECT DISTINCT subject_id, moment
  FROM (SELECT subject_id, unnest([begins, ends, sure_from, sure_until]) AS moment FROM shown)
  WHERE moment IS NOT NULL),
-- between two neighbouring bounds nothing changes
stretch AS (
  SELECT subject_id, moment AS since, lead(moment) OVER w AS before, row_number() OVER w AS n
  FROM bound WINDOW w AS (PARTITION BY subject_id ORDER BY moment)),
held AS (
  SELECT s.subject_id, s.n, c.place, c.value_id, coalesce(bool_or(c.sure_from <= s.since AND s.since < c.sure_until), false) AS certain,
    list(c.version_id) AS versions
  FROM stretch AS s JOIN shown AS c ON c.subject_id = s.subject_id AND c.begins <= s.since AND s.since < c.ends
  GROUP BY s.subject_id, s.n, c.place, c.value_id),
-- the predicates one after the other, in the order asked
joined AS (
  SELECT subject_id, n, place, [value_id] AS said, certain, [versions] AS versions FROM held WHERE place = 1
  UNION ALL
  SELECT j.subject_id, j.n, h.place, list_append(j.said, h.value_id), j.certain AND h.certain, list_append(j.versions, h.versions)
  FROM joined AS j JOIN held AS h ON h.subject_id = j.subject_id AND h.n = j.n AND h.place = j.place + 1),
-- neighbours that say the same are one
numbered AS (
  SELECT *, n - row_number() OVER (PARTITION BY subject_id, said, certain ORDER BY n) AS island
  FROM joined WHERE place = len($predicates)),
merged AS (
  SELECT j.subject_id, j.said, j.certain, min(s.since) AS since, max(s.before) AS before, list(j.versions ORDER BY j.n) AS versions
  FROM numbered AS j JOIN stretch AS s ON s.subject_id = j.subject_id AND s.n = j.n
  GROUP BY j.subject_id, j.said, j.certain, j.island)
SELECT s.provider, s.name AS subject, nullif(m.since, '-infinity'::TIMESTAMPTZ) AS since, nullif(m.before, 'infinity'::TIMESTAMPTZ) AS before,
  m.certain, m.versions
FROM merged AS m JOIN cb.subject AS s ON s.subject_id = m.subject_id
ORDER BY s.provider, s.name, m.since, NOT m.certain, (SELECT list(w.value_key ORDER BY u.place) FROM (
  SELECT unnest(m.said) AS value_id, generate_subscripts(m.said, 1) AS place) AS u JOIN cb.value AS w ON w.value_id = u.value_id), m.said
