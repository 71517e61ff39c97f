-- F: the versions that follow from the log of the touched slots, our own decisions among it (B1, B6, T5, T6, T8, W2, W4, W6).
CREATE OR REPLACE TEMP TABLE derived AS
WITH
-- what each reading says or misses, as it counts after our corrections and retractions (B6)
entry AS (
  SELECT CASE WHEN a.named IS NULL THEN e.claim_no ELSE a.counts_as END AS claim_no, e.observed_at AS o, e.ordinal, e.kind,
    CASE WHEN a.named IS NULL THEN e.quote_id ELSE a.quote_id END AS quote_id
  FROM cb.entry AS e JOIN touched USING (predicate_id, subject_id, scope_id)
  LEFT JOIN cb.attributed($recorded_at) AS a ON a.named = e.claim_no AND a.o = e.observed_at
  WHERE e.kind IN ('said', 'gone') AND (a.named IS NULL OR a.counts_as IS NOT NULL)),
-- one row per claim and instant: the last ordinal counts, without one said wins (B5)
heard AS (
  SELECT e.claim_no, e.o,
    max(ROW(coalesce(e.ordinal, -1), e.kind = 'said'))[2] AS here,
    max(e.ordinal) FILTER (WHERE e.kind = 'said') AS ordinal, min(e.quote_id) FILTER (WHERE e.kind = 'said') AS quote_id
  FROM entry AS e GROUP BY e.claim_no, e.o),
link AS (FROM cb.links($recorded_at)),
involved AS (
  SELECT claim_no FROM heard
  UNION SELECT unnest([old_no, new_no]) FROM link),
mode AS (
  SELECT source_id, bool_or(whole) AS whole, bool_or(complete) AS complete, bool_or(own) AS own
  FROM cb.source_mode GROUP BY source_id),
meaning AS (
  SELECT claim_no, arg_max(value_id, recorded_at) AS value_id FROM cb.meaning SEMI JOIN involved USING (claim_no)
  GROUP BY claim_no),
-- each claim with what it states and how its predicate and source are to be read
stated AS (
  SELECT t.claim_no, t.predicate_id, t.subject_id, t.scope_id, t.source_id,
    m.value_id,
    t.from_earliest AS start_earliest, t.from_latest AS start_latest, t.from_kind IN ('known', 'imprecise') AS dated,
    t.until_earliest AS end_earliest, t.until_latest AS end_latest, t.until_kind, t.until_kind <> 'open' AS bounded,
    t.from_kind IN ('known', 'imprecise') OR t.until_kind <> 'open' AS any_stated,
    d.single, d.timeless, d.closed_world, coalesce(s.whole, false) AS whole,
    coalesce(s.complete, false) OR d.closed_world AS denies, coalesce(s.own, false) AS own
  FROM cb.statement AS t
  SEMI JOIN involved USING (claim_no)
  SEMI JOIN touched USING (predicate_id, subject_id, scope_id)
  JOIN meaning AS m USING (claim_no)
  JOIN cb.declared($recorded_at) AS d USING (predicate_id)
  LEFT JOIN mode AS s USING (source_id)),
-- a claim that a decision puts in another's place, and from where: where it states to begin, else where we said it does (W6)
linked AS (
  SELECT k.kind, k.o, k.old_no, k.new_no, k.effective_at, m.source_id = n.source_id AS same_source, m.own,
    CASE WHEN n.dated THEN n.start_earliest ELSE k.effective_at END AS start_earliest,
    CASE WHEN n.dated THEN n.start_latest ELSE k.effective_at END AS start_latest,
    k.kind = 'supersede' AND coalesce(CASE WHEN n.dated THEN n.start_earliest ELSE k.effective_at END > k.o, false) AS ahead
  FROM link AS k
  JOIN stated AS m ON m.claim_no = k.old_no
  JOIN stated AS n ON n.claim_no = k.new_no),
-- a source that says what will follow still says what holds until then
mention AS (
  FROM heard AS h
  WHERE h.here OR NOT EXISTS (FROM linked AS k WHERE k.ahead AND k.same_source AND k.old_no = h.claim_no AND k.o = h.o
    AND EXISTS (FROM heard AS g WHERE g.claim_no = h.claim_no AND g.o < k.o AND g.here))
  UNION ALL BY NAME
  SELECT DISTINCT old_no AS claim_no, o, true AS here FROM linked AS k
  WHERE ahead AND same_source AND EXISTS (FROM heard AS h WHERE h.claim_no = k.old_no AND h.o < k.o AND h.here)
    AND NOT EXISTS (FROM heard AS h WHERE h.claim_no = k.old_no AND h.o = k.o AND h.here)),
-- a confirmation brings no quote: the newest one before it still stands, or the first one ever read
confirmed AS (
  SELECT m.claim_no, m.o, coalesce(arg_max(q.quote_id, q.o) FILTER (WHERE q.o < m.o), arg_min(q.quote_id, q.o)) AS quote_id
  FROM mention AS m JOIN mention AS q ON q.claim_no = m.claim_no
  WHERE m.here AND m.quote_id IS NULL AND q.quote_id IS NOT NULL
  GROUP BY m.claim_no, m.o),
-- the first words ever read for such a claim, whatever that reading counts as now
wordless AS (SELECT DISTINCT claim_no FROM mention WHERE here AND quote_id IS NULL),
words AS (
  SELECT claim_no, arg_min(quote_id, ROW(o, quote_id)) AS quote_id FROM (
    SELECT e.claim_no, e.observed_at AS o, e.quote_id FROM cb.entry AS e SEMI JOIN wordless USING (claim_no)
    UNION ALL SELECT d.other_no, d.decided_at, d.quote_id FROM cb.decision AS d)
  WHERE quote_id IS NOT NULL GROUP BY claim_no),
spoken AS (
  SELECT m.claim_no, m.o, m.ordinal, coalesce(m.quote_id, f.quote_id, w.quote_id) AS quote_id, t.* EXCLUDE (claim_no)
  FROM mention AS m
  JOIN stated AS t USING (claim_no)
  LEFT JOIN confirmed AS f ON f.claim_no = m.claim_no AND f.o = m.o
  LEFT JOIN words AS w ON w.claim_no = m.claim_no
  WHERE m.here),
-- at one instant of one source the last ordinal counts (B5)
said AS (
  SELECT s.* FROM spoken AS s
  WHERE s.ordinal IS NULL OR NOT EXISTS (FROM spoken AS x
    WHERE x.predicate_id = s.predicate_id AND x.subject_id = s.subject_id AND x.scope_id = s.scope_id
      AND x.source_id = s.source_id AND x.o = s.o AND x.ordinal > s.ordinal AND x.value_id <> s.value_id
      AND s.single AND cb.can_end(s.timeless, x.bounded, x.dated, s.dated))),
-- readings made before a change we were told of: the old value said there does not deny the new one, the new one is yet to begin (W6)
ahead AS (
  SELECT DISTINCT s.claim_no, s.o, k.new_no AS for_no
  FROM linked AS k JOIN said AS s ON s.claim_no IN (k.old_no, k.new_no) AND k.o <= s.o AND s.o < k.start_earliest
  WHERE k.ahead),
-- other values the same source says in the same slot of a single predicate
rival AS (
  SELECT c.claim_no, d.claim_no AS other_no, d.o, d.dated, d.start_earliest, d.start_latest, c.whole,
    cb.can_end(c.timeless, d.bounded, d.dated, c.dated) AND x.o IS NULL AS can_end,
    c.timeless OR (coalesce(d.start_earliest <= d.o, true) AND y.o IS NULL) AS begun,
    NOT d.bounded AND NOT c.dated AND d.dated AND NOT c.own AND NOT c.timeless AND x.o IS NULL AS can_announce, false AS named
  FROM stated AS c
  JOIN said AS d ON d.predicate_id = c.predicate_id AND d.subject_id = c.subject_id AND d.scope_id = c.scope_id
    AND d.source_id = c.source_id AND d.claim_no <> c.claim_no AND d.value_id <> c.value_id
  LEFT JOIN ahead AS x ON x.claim_no = d.claim_no AND x.o = d.o AND x.for_no = c.claim_no
  LEFT JOIN ahead AS y ON y.claim_no = d.claim_no AND y.o = d.o AND y.for_no = d.claim_no
  WHERE c.single AND (c.timeless OR NOT (c.dated AND d.dated))
  UNION ALL
  -- the reading that found a page changed names what stands in the claim's place
  SELECT k.old_no, k.new_no, k.o, n.dated, n.start_earliest, n.start_latest, m.whole, true, true, false, true
  FROM linked AS k JOIN stated AS m ON m.claim_no = k.old_no JOIN stated AS n ON n.claim_no = k.new_no
  WHERE k.kind = 'changed'),
-- instants at which a claim is absent: gone, or replaced; in a source read whole silence means still said
absence AS (
  SELECT claim_no, o FROM mention WHERE NOT here
  UNION
  SELECT r.claim_no, r.o FROM rival AS r
  WHERE r.can_end AND r.begun AND (r.named OR NOT r.whole) AND NOT EXISTS (FROM said AS s WHERE s.claim_no = r.claim_no AND s.o = r.o)),
-- a source that said what follows no longer says the old value from then on, before what it reads out at that instant if the start lay ahead
superseded AS (
  SELECT DISTINCT old_no AS claim_no, CASE WHEN ahead THEN start_earliest ELSE o END AS o, ahead
  FROM linked WHERE kind = 'supersede' AND same_source AND NOT own),
-- claims whose runs or bounds depend on more than their own statements; the others have one run and nothing cuts it
stirred AS (
  SELECT claim_no FROM rival
  UNION SELECT other_no FROM rival
  UNION SELECT claim_no FROM mention WHERE NOT here
  UNION SELECT claim_no FROM stated WHERE whole
  UNION SELECT unnest([old_no, new_no]) FROM linked),
quiet AS (
  SELECT claim_no, min(o) AS f, arg_min(quote_id, o) AS quote_id FROM said ANTI JOIN stirred USING (claim_no) GROUP BY claim_no),
loss AS (
  SELECT claim_no, o, 2 AS turn FROM absence
  UNION ALL
  SELECT claim_no, o, CASE WHEN ahead THEN 0 ELSE 3 END FROM superseded),
-- most claims are said once: nothing parts their run
once AS (
  SELECT claim_no, min(o) AS o, min(quote_id) AS quote_id FROM said SEMI JOIN stirred USING (claim_no)
  GROUP BY claim_no HAVING count(*) = 1),
toggle AS (
  SELECT claim_no, o, 1 AS turn, true AS here, quote_id FROM said SEMI JOIN stirred USING (claim_no) ANTI JOIN once USING (claim_no)
  UNION ALL
  SELECT claim_no, o, turn, false, NULL FROM loss ANTI JOIN once USING (claim_no)),
flank AS (
  SELECT *, lag(here) OVER (PARTITION BY claim_no ORDER BY o, turn) AS was FROM toggle),
numbered AS (
  SELECT *, count(*) FILTER (WHERE here AND was IS NOT TRUE) OVER (PARTITION BY claim_no ORDER BY o, turn) AS k
  FROM flank),
parted AS (
  SELECT claim_no, k, min(o) FILTER (WHERE here) AS f, max(o) FILTER (WHERE here) AS said_last,
    min(o) FILTER (WHERE NOT here) AS n, arg_min(quote_id, o) FILTER (WHERE here) AS quote_id
  FROM numbered WHERE k > 0 GROUP BY claim_no, k),
-- runs: f first said, said_last, n first absent (W4: said again after an absence is another run)
island AS (
  SELECT *, lead(f) OVER (PARTITION BY claim_no ORDER BY f) AS next_f, lag(n) OVER (PARTITION BY claim_no ORDER BY f) AS lost_before
  FROM parted
  UNION ALL BY NAME
  SELECT s.claim_no, 1 AS k, s.o AS f, s.o AS said_last, min(a.o) AS n, s.quote_id
  FROM once AS s LEFT JOIN loss AS a ON a.claim_no = s.claim_no AND (a.o > s.o OR a.o = s.o AND a.turn > 1)
  GROUP BY s.claim_no, s.o, s.quote_id),
-- the reading of the whole source before each of its readings
pace AS (
  SELECT source_id, observed_at AS o, lag(observed_at) OVER (PARTITION BY source_id ORDER BY observed_at) AS before
  FROM (SELECT DISTINCT r.source_id, r.observed_at FROM cb.reading AS r
    SEMI JOIN (SELECT source_id FROM stated WHERE whole) AS s USING (source_id) WHERE r.outcome = 'read') AS r),
first_said AS (
  SELECT predicate_id, subject_id, scope_id, source_id, min(o) AS o FROM said GROUP BY ALL),
-- the last reading before f that stated another value or missed this claim: after it an undated start is possible (T8)
before_start AS (
  SELECT i.claim_no, i.k, max(x.o) AS p
  FROM island AS i
  JOIN (
    SELECT claim_no, o FROM rival
    UNION ALL
    SELECT m.claim_no, m.o FROM mention AS m JOIN stated AS t USING (claim_no)
    JOIN first_said AS a USING (predicate_id, subject_id, scope_id, source_id) WHERE NOT m.here AND m.o >= a.o
    UNION ALL
    SELECT claim_no, CASE WHEN ahead THEN o - to_microseconds(1) ELSE o END FROM superseded) AS x
    ON x.claim_no = i.claim_no AND x.o < i.f
  GROUP BY i.claim_no, i.k),
-- the last reading of what a page said before it was found changed
before_change AS (
  SELECT k.new_no AS claim_no, k.o AS f, max(s.o) AS p FROM linked AS k JOIN said AS s ON s.claim_no = k.old_no AND s.o < k.o
  WHERE k.kind = 'changed' GROUP BY k.new_no, k.o),
-- of a run in a source read whole: the reading before it was lost, and the one before it was found, if that could have said it
paced AS (
  SELECT i.claim_no, i.k, ln.before AS before_lost, CASE WHEN t.closed_world OR fs.o < i.f THEN lf.before END AS before_found
  FROM island AS i
  JOIN stated AS t ON t.claim_no = i.claim_no AND t.whole
  ASOF LEFT JOIN (SELECT source_id, o AS before FROM pace) AS ln ON ln.source_id = t.source_id AND i.n > ln.before
  LEFT JOIN pace AS lf ON lf.source_id = t.source_id AND lf.o = i.f
  LEFT JOIN first_said AS fs ON fs.predicate_id = t.predicate_id AND fs.subject_id = t.subject_id
    AND fs.scope_id = t.scope_id AND fs.source_id = t.source_id),
run AS (
  SELECT i.claim_no, i.k, i.f, i.n, i.quote_id, t.* EXCLUDE (claim_no), i.said_last,
    greatest(i.said_last, w.before_lost) AS l,
    CASE WHEN t.own THEN NULL ELSE greatest(b.p, h.p, w.before_found) END AS p,
    i.next_f, i.lost_before
  FROM island AS i
  JOIN stated AS t USING (claim_no)
  LEFT JOIN before_start AS b ON b.claim_no = i.claim_no AND b.k = i.k
  LEFT JOIN before_change AS h ON h.claim_no = i.claim_no AND h.f = i.f
  LEFT JOIN paced AS w ON w.claim_no = i.claim_no AND w.k = i.k),
-- the first absence by another value from n on, and its stated change point if it states one later than l; a value still to
-- come replaces what the same reading drops
replaced AS (
  SELECT r.claim_no, r.k, v.o AS m,
    min(ROW(coalesce(v.start_earliest, '-infinity'), coalesce(v.start_latest, 'infinity')))
      FILTER (WHERE v.dated AND (v.start_latest > r.l OR v.start_latest IS NULL) AND v.named = x.named) AS point
  FROM run AS r
  JOIN rival AS v ON v.claim_no = r.claim_no AND v.can_end AND v.o >= r.n AND (r.next_f IS NULL OR v.o < r.next_f)
  JOIN (SELECT claim_no, o, bool_or(named) AS named FROM rival GROUP BY claim_no, o) AS x ON x.claim_no = v.claim_no AND x.o = v.o
  LEFT JOIN mention AS g ON g.claim_no = r.claim_no AND g.o = v.o
  LEFT JOIN superseded AS z ON z.claim_no = r.claim_no AND z.o = v.o AND NOT z.ahead
  WHERE v.begun OR NOT g.here OR z.claim_no IS NOT NULL
  GROUP BY r.claim_no, r.k, v.o
  QUALIFY row_number() OVER (PARTITION BY r.claim_no, r.k ORDER BY v.o) = 1),
-- a successor announced before its start while the run was alive (T8)
herald AS (
  SELECT DISTINCT r.claim_no, r.k, r.value_id, d.claim_no AS coming_no, d.k AS coming_k, v.start_earliest, v.start_latest,
    d.n AS lost, d.l AS coming_l, d.whole, CASE WHEN r.whole THEN greatest(v.o, r.f) ELSE v.o END AS since
  FROM run AS r
  JOIN rival AS v ON v.claim_no = r.claim_no AND v.can_announce
  JOIN run AS d ON d.claim_no = v.other_no AND d.f <= v.o AND (d.n IS NULL OR v.o < d.n)
  WHERE v.o < v.start_earliest AND (r.n IS NULL OR v.o < r.n)
    AND (v.o >= r.f OR (r.whole AND r.f < v.start_earliest AND (d.n IS NULL OR r.f < d.n)))
    AND NOT EXISTS (FROM linked AS k WHERE k.ahead AND k.old_no = d.claim_no AND k.new_no = r.claim_no
      AND k.o <= greatest(v.o, r.f) AND greatest(v.o, r.f) < k.start_earliest)),
-- it gives the run its end while it stands, unless the old value is said again in its time
announced AS (
  SELECT h.claim_no, h.k, h.since, ROW(h.start_earliest, coalesce(h.start_latest, 'infinity')) AS point,
    least(h.lost, min(s.o)) AS till
  FROM herald AS h LEFT JOIN said AS s ON s.claim_no = h.claim_no AND s.o >= h.start_earliest
  GROUP BY h.claim_no, h.k, h.since, h.start_earliest, h.start_latest, h.lost),
-- it is withdrawn if the reading that loses it, before it was ever said in its time, says the old value
cancelled AS (
  SELECT DISTINCT h.coming_no AS claim_no, h.coming_k AS k
  FROM herald AS h
  JOIN run AS x ON x.value_id = h.value_id AND NOT x.dated AND NOT x.bounded AND x.f <= h.lost AND (x.n IS NULL OR h.lost <= x.n)
  JOIN stated AS c ON c.claim_no = h.coming_no AND c.predicate_id = x.predicate_id AND c.subject_id = x.subject_id
    AND c.scope_id = x.scope_id AND c.source_id = x.source_id
  WHERE h.coming_l < h.start_earliest
    AND NOT EXISTS (FROM linked AS k WHERE k.kind = 'supersede' AND k.o <= h.lost
      AND (k.old_no = h.coming_no OR k.old_no = h.claim_no AND k.new_no = h.coming_no))
    AND (h.whole AND h.lost IS DISTINCT FROM x.n OR EXISTS (FROM said AS s WHERE s.claim_no = x.claim_no AND s.o = h.lost))),
-- an undated successor begins where we said it does, if its readings allow (W6); known from that reading on
begun AS (
  SELECT r.claim_no, r.k, k.o AS since, k.o = r.f AS first, k.effective_at AS start
  FROM run AS r JOIN linked AS k ON k.kind = 'supersede' AND k.new_no = r.claim_no AND NOT r.dated
  WHERE k.o >= r.f AND (r.n IS NULL OR k.o <= r.n)
    AND (k.o = r.f AND coalesce(k.effective_at >= r.lost_before, true)
      OR k.effective_at <= r.f AND coalesce(k.effective_at > r.p, true))),
-- a superseded run that began before its successor ends there (W6); known from that reading on
followed AS (
  SELECT r.claim_no, r.k, greatest(k.o, r.f) AS since, NULL::TIMESTAMPTZ AS till,
    ROW(k.start_earliest, coalesce(k.start_latest, 'infinity')) AS point, r.dated,
    CASE WHEN r.dated THEN r.start_earliest ELSE r.p + to_microseconds(1) END AS run_start
  FROM run AS r JOIN linked AS k ON k.kind = 'supersede' AND k.old_no = r.claim_no),
-- the observed instants at which a run is believed differently
knot AS (
  SELECT claim_no, k, f AS t FROM run
  UNION SELECT claim_no, k, n FROM run WHERE n IS NOT NULL
  UNION SELECT claim_no, k, next_f FROM run WHERE next_f IS NOT NULL
  UNION SELECT claim_no, k, m FROM replaced
  UNION SELECT claim_no, k, unnest([since, till]) FROM announced
  UNION SELECT claim_no, k, since FROM followed
  UNION SELECT claim_no, k, since FROM begun),
begin AS (
  SELECT k.claim_no, k.k, k.t, arg_min(b.start, ROW(NOT b.first, b.start)) AS start
  FROM knot AS k JOIN begun AS b ON b.claim_no = k.claim_no AND b.k = k.k AND b.since <= k.t
  GROUP BY k.claim_no, k.k, k.t),
cap AS (
  SELECT k.claim_no, k.k, k.t, ROW(min(a.point[1]), least((min(a.point) FILTER (WHERE a.dated IS NULL))[2],
    min(a.point[2]) FILTER (WHERE a.dated IS NOT NULL))) AS point
  FROM knot AS k JOIN (FROM announced UNION ALL BY NAME FROM followed) AS a ON a.claim_no = k.claim_no AND a.k = k.k AND a.since <= k.t AND (a.till IS NULL OR k.t < a.till)
  LEFT JOIN begin AS b ON b.claim_no = k.claim_no AND b.k = k.k AND b.t = k.t
  WHERE coalesce(CASE WHEN a.dated IS NULL THEN b.start < a.point[2]
    WHEN a.dated THEN a.run_start < a.point[1] ELSE coalesce(b.start, a.run_start) < a.point[1] END, true)
  GROUP BY k.claim_no, k.k, k.t),
-- the end believed at each knot: what is stated, what the log cut off, what a successor announced (T6, T8, W2)
ending AS (
  SELECT r.*, k.t, coalesce(r.n <= k.t, false) AS closed,
    coalesce(x.m <= k.t AND (x.m = r.n OR NOT r.denies), false) AS changed, x.m, x.point, c.point AS cap,
    q.claim_no IS NOT NULL AS withdrawn, CASE WHEN NOT r.dated THEN coalesce(b.start, r.p + to_microseconds(1)) END AS undated_start,
    b.start AS begin
  FROM run AS r
  JOIN knot AS k ON k.claim_no = r.claim_no AND k.k = r.k AND k.t >= r.f
  LEFT JOIN replaced AS x ON x.claim_no = r.claim_no AND x.k = r.k
  LEFT JOIN cap AS c ON c.claim_no = k.claim_no AND c.k = k.k AND c.t = k.t
  LEFT JOIN begin AS b ON b.claim_no = k.claim_no AND b.k = k.k AND b.t = k.t
  LEFT JOIN cancelled AS q ON q.claim_no = r.claim_no AND q.k = r.k
  UNION ALL BY NAME
  SELECT t.*, 0 AS k, q.f, q.f AS t, q.quote_id, false AS closed, false AS changed, false AS withdrawn
  FROM quiet AS q JOIN stated AS t USING (claim_no)),
cut AS (
  SELECT *,
    CASE until_kind WHEN 'holds' THEN CASE WHEN NOT closed THEN f + to_microseconds(1) END
      WHEN 'known' THEN end_earliest WHEN 'imprecise' THEN end_earliest WHEN 'open' THEN NULL
      ELSE coalesce(CASE WHEN dated THEN start_earliest ELSE undated_start END, $lowest) + to_microseconds(1) END AS stated_earliest,
    CASE until_kind WHEN 'ended' THEN f ELSE end_latest END AS stated_latest,
    CASE WHEN closed THEN least(greatest(l + to_microseconds(1), CASE WHEN changed THEN point[1] END),
      CASE WHEN changed THEN coalesce(point[2], m) WHEN denies THEN n END) END AS cut_earliest,
    CASE WHEN NOT closed THEN NULL WHEN changed THEN coalesce(point[2], m) WHEN denies THEN n END AS cut_latest,
    CASE WHEN closed AND next_f <= t AND NOT any_stated THEN next_f END AS again
  FROM ending),
-- a stated or announced end that lies before the cut stays (W2)
ended AS (
  SELECT *, CASE WHEN kept THEN own_earliest ELSE least(own_earliest, cut_earliest) END AS ue,
    nullif(CASE WHEN kept THEN own_latest ELSE least(own_latest, cut_latest, again) END, 'infinity') AS ul
  FROM (
    SELECT *, least(stated_earliest, cap[1]) AS own_earliest, least(stated_latest, cap[2]) AS own_latest,
      closed AND coalesce(least(stated_latest, cap[2]) <= n, false)
        AND coalesce(least(stated_latest, cap[2]) <= least(cut_latest, again), true) AS kept
    FROM cut)),
placed AS (
  SELECT claim_no, k, f, t, quote_id, timeless,
    CASE WHEN timeless THEN $lowest WHEN dated THEN start_earliest ELSE undated_start END AS fe,
    CASE WHEN timeless THEN $lowest WHEN dated THEN start_latest WHEN begin IS NOT NULL THEN begin
      ELSE least(f, CASE WHEN until_kind IN ('known', 'imprecise') THEN end_earliest - to_microseconds(1) END) END AS fl,
    CASE WHEN timeless THEN NULL ELSE ue END AS ue, CASE WHEN timeless THEN NULL ELSE ul END AS ul,
    -- nothing is believed of it: a source's own dates (T8), a replaced timeless value (T11), a withdrawn announcement,
    -- an earlier run of a claim that states a bound
    (closed AND own) OR (timeless AND (changed OR (closed AND denies))) OR (closed AND withdrawn)
      OR coalesce((any_stated OR timeless) AND next_f <= t, false) AS silent
  FROM ended),
-- bounds tightened by start before end (T1), and an announced end by the reading that took it back: what is said again before its end came
-- goes on; what would be empty is not written (B3)
tight AS (
  SELECT claim_no, k, f, t, quote_id, silent, fe, least(fl, ul - to_microseconds(1)) AS fl,
    CASE WHEN ue IS NULL THEN NULL ELSE greatest(least(ue, ul), fe + to_microseconds(1)) END AS ue, ul
  FROM (SELECT * REPLACE (CASE WHEN fe > fl THEN NULL ELSE fe END AS fe) FROM placed)),
laid AS MATERIALIZED (
  SELECT *, silent OR coalesce(fe >= ul, false) AS nothing FROM tight),
-- neighbours on the observed axis that believe the same are one version
seam AS (
  SELECT *, (nothing, fe, fl, ue, ul) IS DISTINCT FROM lag((nothing, fe, fl, ue, ul)) OVER w AS fresh
  FROM laid WHERE k > 0 WINDOW w AS (PARTITION BY claim_no, k ORDER BY t)),
piece AS (
  SELECT * EXCLUDE (fresh), lead(t) OVER (PARTITION BY claim_no, k ORDER BY t) AS till FROM seam WHERE fresh
  UNION ALL
  SELECT *, NULL FROM laid WHERE k = 0)
SELECT claim_no, quote_id, fe AS from_earliest, fl AS from_latest, ue AS until_earliest, ul AS until_latest,
  f AS observed_at, t AS observed_from, till AS observed_until
FROM piece WHERE NOT nothing
