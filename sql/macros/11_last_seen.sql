-- When each claim was last read: its newest saying, or a reading of the page whose text holds its quote; where the source is read whole
-- and has not dropped the claim, the source's newest reading (Q9). claims: the numbers asked for, NULL = all.
CREATE OR REPLACE MACRO cb.last_seen(observed_by, recorded_by, claims := NULL) AS TABLE
  WITH verified AS (
    SELECT k.evidence_id FROM cb.quote_check AS k WHERE k.recorded_at <= recorded_by
    GROUP BY k.evidence_id HAVING arg_max(k.status, k.recorded_at) = 'verified'),
  said AS (
    SELECT e.claim_no, e.source_id, e.observed_at, e.kind FROM cb.entry AS e
    WHERE e.observed_at <= observed_by AND e.recorded_at <= recorded_by AND e.kind <> 'unreachable'
      AND (claims IS NULL OR e.claim_no IN (SELECT unnest(claims::UBIGINT[])))
    UNION ALL
    SELECT v.claim_no, f.source_id, f.fetched_at, 'said' FROM cb.evidence AS v
    JOIN cb.fetch AS f ON f.snapshot_id = v.snapshot_id
    WHERE v.rank = 0 AND v.recorded_at <= recorded_by AND cb.countable(f.disposition)
      AND f.fetched_at <= observed_by AND f.recorded_at <= recorded_by
      AND (claims IS NULL OR v.claim_no IN (SELECT unnest(claims::UBIGINT[])))
      AND v.evidence_id IN (SELECT evidence_id FROM verified)),
  heard AS (
    SELECT claim_no, source_id, max(observed_at) FILTER (kind = 'said') AS said, max(observed_at) FILTER (kind = 'gone') AS gone
    FROM said GROUP BY claim_no, source_id),
  whole AS (
    SELECT r.source_id, max(r.observed_at) AS read_at FROM cb.reading AS r
    WHERE r.outcome = 'read' AND r.observed_at <= observed_by AND r.recorded_at <= recorded_by
      AND r.source_id IN (
        SELECT m.source_id FROM cb.source_mode AS m WHERE m.recorded_at <= recorded_by
        GROUP BY m.source_id HAVING arg_max(m.whole, m.recorded_at))
    GROUP BY r.source_id)
  SELECT h.claim_no, CASE WHEN h.gone > h.said THEN h.said ELSE greatest(h.said, w.read_at) END AS last_seen
  FROM heard AS h LEFT JOIN whole AS w ON w.source_id = h.source_id WHERE h.said IS NOT NULL
