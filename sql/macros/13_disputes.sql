-- Pairs of visible versions that share a valid instant and whose values disagree, with their kind (K3) and disputed interval (K1).
-- since, before: only pairs disputed inside that window, NULL = unbounded. information: look across scopes and at incomparable units too. K10: per slot,
-- sorted by start, each version meets only those that start before it ends.
CREATE OR REPLACE MACRO cb.disputes(observed_by, recorded_by, since, before, subject_ids, predicate_ids, information) AS TABLE
  WITH heard AS MATERIALIZED (
    SELECT *, CASE WHEN information THEN 0 ELSE scope_id END AS scope_group
    FROM cb.spoken(observed_by, recorded_by, subject_ids, predicate_ids)
    WHERE says_nothing IS NULL AND (single OR complete)
      AND (before IS NULL OR from_earliest IS NULL OR from_earliest < before)
      AND (since IS NULL OR until_earliest IS NULL OR until_latest IS NULL OR until_latest > since)),
  contested AS (
    SELECT subject_id, predicate_id, scope_group, row_number() OVER () AS slot FROM heard
    GROUP BY subject_id, predicate_id, scope_group
    HAVING min(value_id) <> max(value_id) OR min(absent) <> max(absent)),
  -- what is stated: no unread start (T5, T8), no end that only a missing or later reading implies (T8, W2) or that is unknown (T6)
  stated AS (
    SELECT c.slot, h.*,
      CASE WHEN h.dated THEN coalesce(h.from_earliest, '-infinity'::TIMESTAMPTZ)
        ELSE coalesce(h.from_latest, 'infinity'::TIMESTAMPTZ) END AS stated_from,
      CASE WHEN h.until_earliest IS NULL THEN 'infinity'::TIMESTAMPTZ
        WHEN h.bounded AND h.until_latest = t.until_latest AND h.until_earliest >= t.until_earliest THEN h.until_latest
        ELSE h.until_earliest END AS stated_until,
      coalesce(h.from_latest, 'infinity'::TIMESTAMPTZ) AS certain_from,
      coalesce(h.until_earliest, 'infinity'::TIMESTAMPTZ) AS certain_until
    FROM heard AS h
    JOIN contested AS c USING (subject_id, predicate_id, scope_group)
    LEFT JOIN cb.statement AS t ON h.bounded AND h.until_earliest <> h.until_latest AND t.claim_no = h.claim_no),
  usual AS (
    SELECT slot, arg_max(value_id, (spoken, value_id)) AS value_id FROM (
      SELECT slot, value_id, count(*) AS spoken FROM stated WHERE NOT absent GROUP BY slot, value_id) GROUP BY slot),
  placed AS MATERIALIZED (
    SELECT s.*, row_number() OVER w AS place, (s.absent OR s.value_id <> u.value_id) AS unusual,
      count(*) FILTER (s.absent OR s.value_id <> u.value_id) OVER w AS unusual_place
    FROM stated AS s JOIN usual AS u ON u.slot = s.slot
    WHERE s.stated_from < s.stated_until
    WINDOW w AS (PARTITION BY s.slot ORDER BY s.stated_from, s.claim_no, s.from_latest, s.version_id
      ROWS UNBOUNDED PRECEDING)),
  starts AS (
    SELECT slot, stated_from, max(place) AS place, max(unusual_place) AS unusual_place
    FROM placed GROUP BY slot, stated_from),
  reach AS (
    SELECT p.slot, p.place, p.unusual, p.unusual_place, s.place AS last_place, s.unusual_place AS last_unusual
    FROM placed AS p ASOF JOIN starts AS s ON s.slot = p.slot AND s.stated_from < p.stated_until),
  -- versions of the usual value meet only the others: agreement, the common case, costs nothing
  meeting AS (
    SELECT r.slot, r.place, o.place AS other FROM (
        SELECT slot, place, unnest(range(unusual_place + 1, last_unusual + 1)) AS nth FROM reach WHERE NOT unusual) AS r
      JOIN placed AS o ON o.slot = r.slot AND o.unusual AND o.unusual_place = r.nth
    UNION ALL
    SELECT slot, place, unnest(range(place + 1, last_place + 1)) FROM reach WHERE unusual),
  pairs AS (
    SELECT a, b,
      greatest(a.certain_from, b.certain_from) < least(a.certain_until, b.certain_until) AS sure,
      a.numeric = b.numeric AND a.unit_id IS NOT DISTINCT FROM b.unit_id AS comparable,
      a.source_id = b.source_id AS same_source
    FROM meeting AS m
    JOIN placed AS a ON a.slot = m.slot AND a.place = m.place
    JOIN placed AS b ON b.slot = m.slot AND b.place = m.other
    WHERE a.claim_no <> b.claim_no AND (a.absent <> b.absent OR NOT a.absent AND a.value_id <> b.value_id)),
  disagreeing AS (
    SELECT *,
      CASE WHEN sure THEN greatest(a.certain_from, b.certain_from) ELSE greatest(a.stated_from, b.stated_from) END AS disputed_from,
      CASE WHEN sure THEN least(a.certain_until, b.certain_until) ELSE least(a.stated_until, b.stated_until) END AS disputed_until
    FROM pairs
    WHERE a.absent <> b.absent OR NOT comparable OR NOT a.numeric
      OR cb.apart(a.value_min, b.value_max, a.min_open OR b.max_open, a.tolerance)
      OR cb.apart(b.value_min, a.value_max, b.min_open OR a.max_open, a.tolerance)),
  linked AS (
    SELECT claim_no, other_no FROM cb.decision AS d
    WHERE d.kind IN ('supersede', 'correct') AND d.recorded_at <= recorded_by
      AND (d.observed_at IS NULL OR d.observed_at <= observed_by)),
  -- a starts first; the first kind that applies (K3), NULL = no contradiction
  judged AS (
    SELECT *, CASE
      WHEN a.scope_id <> b.scope_id THEN 'scope_differs'
      WHEN a.absent = b.absent AND NOT comparable THEN 'incomparable_units'
      WHEN same_source AND (a.until_latest = b.from_latest OR b.until_latest = a.from_latest) THEN NULL
      WHEN same_source AND a.bounded AND NOT b.bounded AND coalesce(b.from_earliest <= a.from_latest, true) THEN NULL
      WHEN same_source AND b.bounded AND NOT a.bounded AND coalesce(a.from_earliest <= b.from_latest, true) THEN NULL
      WHEN (a.claim_no, b.claim_no) IN (SELECT (claim_no, other_no) FROM linked)
        OR (b.claim_no, a.claim_no) IN (SELECT (claim_no, other_no) FROM linked) THEN NULL
      WHEN NOT sure THEN 'possible'
      WHEN a.absent <> b.absent THEN 'absence'
      WHEN a.until_earliest IS NULL AND b.from_earliest > a.from_latest AND same_source THEN 'unclosed_predecessor'
      WHEN a.until_earliest IS NULL AND b.from_earliest > a.from_latest AND b.dated THEN 'succession'
      ELSE 'hard' END AS kind
    FROM disagreeing
    WHERE (before IS NULL OR disputed_from < before) AND (since IS NULL OR disputed_until > since))
  SELECT a.subject_id, a.predicate_id, a.scope_id, b.scope_id AS other_scope_id, a.claim_no, b.claim_no AS other_no,
    a.version_id, b.version_id AS other_version, a.value_id, b.value_id AS other_value,
    CASE WHEN kind <> 'succession' THEN kind WHEN s.last_seen >= b.from_latest THEN 'hard' ELSE 'unconfirmed_succession' END AS kind,
    nullif(disputed_from, '-infinity'::TIMESTAMPTZ) AS disputed_from,
    nullif(disputed_until, 'infinity'::TIMESTAMPTZ) AS disputed_until,
    CASE WHEN kind = 'unclosed_predecessor' THEN b.from_earliest END AS suggested_end
  FROM judged AS j
  LEFT JOIN cb.last_seen(observed_by, recorded_by) AS s ON j.kind = 'succession' AND s.claim_no = a.claim_no
  WHERE kind IS NOT NULL AND (information OR kind <> 'incomparable_units')
