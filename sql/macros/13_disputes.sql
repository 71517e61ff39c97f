-- Pairs of visible versions that share a valid instant and whose values disagree, with their kind (K3) and disputed interval (K1); a starts first.
-- since, before: only pairs disputed inside that window, NULL = unbounded. information: look across scopes and at incomparable units too.
-- A slot with very many pairs is not looked through whole (K10): one row of kind 'unexamined' says how many were left.
CREATE OR REPLACE MACRO cb.disputes(observed_by, recorded_by, since, before, subject_ids, predicate_ids, information) AS TABLE
  WITH heard AS MATERIALIZED (
    SELECT version_id, claim_no, subject_id, predicate_id, scope_id, source_id, value_id, unit_id, value_min, value_max, min_open, max_open,
      absent, dated, bounded, from_earliest, from_latest, until_earliest, until_latest, tolerance, numeric,
      CASE WHEN information THEN 0 ELSE scope_id END AS scope_group
    FROM cb.spoken(observed_by, recorded_by, subject_ids, predicate_ids)
    WHERE says_nothing IS NULL AND (single OR complete)
      AND (before IS NULL OR from_earliest IS NULL OR from_earliest < before)
      AND (since IS NULL OR until_earliest IS NULL OR until_latest IS NULL OR until_latest > since)),
  contested AS (
    SELECT subject_id, predicate_id, scope_group, count(*) AS size, row_number() OVER () AS slot FROM heard
    GROUP BY subject_id, predicate_id, scope_group
    HAVING min(value_id) <> max(value_id) OR min(absent) <> max(absent)),
  stated_ends AS (
    SELECT claim_no, until_earliest, until_latest FROM cb.statement
    WHERE claim_no IN (SELECT claim_no FROM heard WHERE bounded AND until_earliest <> until_latest)),
  -- what is stated: no unread start (T5, T8), no end that only a missing or later reading implies (T8, W2) or that is unknown (T6)
  stated AS MATERIALIZED (
    SELECT c.slot, c.size > 128 AS crowded, h.*,
      CASE WHEN h.dated THEN coalesce(h.from_earliest, '-infinity'::TIMESTAMPTZ)
        ELSE coalesce(h.from_latest, 'infinity'::TIMESTAMPTZ) END AS stated_from,
      CASE WHEN h.until_earliest IS NULL THEN 'infinity'::TIMESTAMPTZ
        WHEN h.bounded AND h.until_latest = t.until_latest AND h.until_earliest >= t.until_earliest THEN h.until_latest
        ELSE h.until_earliest END AS stated_until,
      coalesce(h.from_latest, 'infinity'::TIMESTAMPTZ) AS certain_from,
      coalesce(h.until_earliest, 'infinity'::TIMESTAMPTZ) AS certain_until
    FROM heard AS h
    JOIN contested AS c USING (subject_id, predicate_id, scope_group)
    LEFT JOIN stated_ends AS t ON h.bounded AND h.until_earliest <> h.until_latest AND t.claim_no = h.claim_no),
  -- small slots: each version with each that starts no earlier
  near AS (
    SELECT a, b
    FROM stated AS a JOIN stated AS b ON a.slot = b.slot AND b.stated_from < a.stated_until
      AND (a.stated_from < b.stated_from OR a.stated_from = b.stated_from AND a.version_id < b.version_id)
    WHERE NOT a.crowded AND (a.absent <> b.absent OR a.value_id <> b.value_id)),
  -- crowded slots: a sweep. Sorted by start, a version meets those that start before it ends, and versions of the usual value only the
  -- others, so that agreement, however large, costs nothing
  usual AS (
    SELECT slot, arg_max(value_id, (spoken, value_id)) AS value_id FROM (
      SELECT slot, value_id, count(*) AS spoken FROM stated WHERE crowded AND NOT absent GROUP BY slot, value_id)
    GROUP BY slot),
  placed AS MATERIALIZED (
    SELECT s.slot, s.version_id, s.value_id, s.absent, s.stated_from, s.stated_until, row_number() OVER w AS place,
      (s.absent OR s.value_id <> u.value_id) AS unusual, count(*) FILTER (s.absent OR s.value_id <> u.value_id) OVER w AS unusual_place
    FROM stated AS s JOIN usual AS u ON u.slot = s.slot
    WHERE s.crowded AND s.stated_from < s.stated_until
    WINDOW w AS (PARTITION BY s.slot ORDER BY s.stated_from, s.version_id ROWS UNBOUNDED PRECEDING)),
  starts AS (
    SELECT slot, stated_from, max(place) AS place, max(unusual_place) AS unusual_place
    FROM placed GROUP BY slot, stated_from),
  reach AS (
    SELECT p.*, CASE WHEN p.unusual THEN s.place - p.place ELSE s.unusual_place - p.unusual_place END AS met
    FROM placed AS p ASOF JOIN starts AS s ON s.slot = p.slot AND s.stated_from < p.stated_until),
  bounded_reach AS MATERIALIZED (
    SELECT *, CASE WHEN sum(met) OVER slots <= 250000 THEN met ELSE least(met, 250000 // count(*) OVER slots) END AS examined
    FROM reach WINDOW slots AS (PARTITION BY slot)),
  far AS (
    SELECT r.version_id AS one, o.version_id AS other FROM (
        SELECT slot, version_id, unnest(range(unusual_place + 1, unusual_place + examined + 1)) AS nth FROM bounded_reach WHERE NOT unusual) AS r
      JOIN placed AS o ON o.slot = r.slot AND o.unusual AND o.unusual_place = r.nth
    UNION ALL
    SELECT r.version_id, o.version_id FROM (
        SELECT slot, version_id, value_id, absent, unnest(range(place + 1, place + examined + 1)) AS nth FROM bounded_reach WHERE unusual) AS r
      JOIN placed AS o ON o.slot = r.slot AND o.place = r.nth
    WHERE r.absent <> o.absent OR r.value_id <> o.value_id),
  pairs AS (
    SELECT a, b,
      greatest(a.certain_from, b.certain_from) < least(a.certain_until, b.certain_until) AS sure,
      a.numeric = b.numeric AND a.unit_id IS NOT DISTINCT FROM b.unit_id AS comparable,
      a.source_id = b.source_id AS same_source
    FROM (
      FROM near
      UNION ALL SELECT a, b FROM far AS m JOIN stated AS a ON a.version_id = m.one JOIN stated AS b ON b.version_id = m.other)
    WHERE a.claim_no <> b.claim_no AND b.stated_from < b.stated_until AND NOT (a.absent AND b.absent)),
  disagreeing AS (
    SELECT *,
      CASE WHEN sure THEN greatest(a.certain_from, b.certain_from) ELSE greatest(a.stated_from, b.stated_from) END AS disputed_from,
      CASE WHEN sure THEN least(a.certain_until, b.certain_until) ELSE least(a.stated_until, b.stated_until) END AS disputed_until
    FROM pairs
    WHERE a.absent <> b.absent OR NOT comparable OR NOT a.numeric
      OR cb.apart(a.value_min, b.value_max, a.min_open OR b.max_open, a.tolerance)
      OR cb.apart(b.value_min, a.value_max, b.min_open OR a.max_open, a.tolerance)),
  -- the first kind that applies (K3), NULL = no contradiction
  judged AS MATERIALIZED (
    SELECT *, CASE
      WHEN a.scope_id <> b.scope_id THEN 'scope_differs'
      WHEN a.absent = b.absent AND NOT comparable THEN 'incomparable_units'
      WHEN same_source AND (a.until_latest = b.from_latest OR b.until_latest = a.from_latest) THEN NULL
      WHEN same_source AND a.bounded AND NOT b.bounded AND coalesce(b.from_earliest <= a.from_latest, true) THEN NULL
      WHEN same_source AND b.bounded AND NOT a.bounded AND coalesce(a.from_earliest <= b.from_latest, true) THEN NULL
      WHEN (a.claim_no, b.claim_no) IN (SELECT (l.claim_no, l.other_no) FROM cb.linked(observed_by, recorded_by) AS l) THEN NULL
      WHEN NOT sure THEN 'possible'
      WHEN a.absent <> b.absent THEN 'absence'
      WHEN a.until_earliest IS NULL AND b.from_earliest > a.from_latest AND same_source THEN 'unclosed_predecessor'
      WHEN a.until_earliest IS NULL AND b.from_earliest > a.from_latest AND b.dated THEN 'succession'
      ELSE 'hard' END AS kind
    FROM disagreeing
    WHERE (before IS NULL OR disputed_from < before) AND (since IS NULL OR disputed_until > since))
  SELECT a.subject_id, a.predicate_id, a.scope_id, b.scope_id AS other_scope_id, a.claim_no, b.claim_no AS other_no,
    a.version_id, b.version_id AS other_version,
    CASE WHEN kind <> 'succession' THEN kind WHEN s.last_seen >= b.from_latest THEN 'hard' ELSE 'unconfirmed_succession' END AS kind,
    nullif(disputed_from, '-infinity'::TIMESTAMPTZ) AS disputed_from,
    nullif(disputed_until, 'infinity'::TIMESTAMPTZ) AS disputed_until,
    CASE WHEN kind = 'unclosed_predecessor' THEN b.from_earliest END AS suggested_end, 1 AS pairs
  FROM judged AS j
  LEFT JOIN cb.last_seen(observed_by, recorded_by, claims := (SELECT coalesce(list(DISTINCT a.claim_no), []) FROM judged WHERE kind = 'succession')) AS s
    ON j.kind = 'succession' AND s.claim_no = a.claim_no
  WHERE kind IS NOT NULL AND (information OR kind <> 'incomparable_units')
  UNION ALL
  SELECT s.subject_id, s.predicate_id, s.scope_id, s.scope_id, NULL, NULL, NULL, NULL, 'unexamined', NULL, NULL, NULL, left_over
  FROM (SELECT any_value(version_id) AS version_id, sum(met - examined) AS left_over FROM bounded_reach GROUP BY slot) AS r
  JOIN stated AS s ON s.version_id = r.version_id
  WHERE left_over > 0
