-- Log how quotes were found, from JSON; a check that says what the newest one said already is no news.
INSERT INTO cb.quote_check
SELECT r.evidence_id, $rule, r.profile_sha256, r.status, r.tier, r.ratio, r.match_start, r.match_end, r.occurrences, r.prefix, r.suffix,
  r.closest, r.edit_distance, r.changes, r.flags, r.found_in, $recorded_at
FROM (SELECT unnest(from_json($rows, '[{"evidence_id": "VARCHAR", "profile_sha256": "VARCHAR", "status": "VARCHAR", "tier": "VARCHAR",
  "ratio": "VARCHAR", "match_start": "BIGINT", "match_end": "BIGINT", "occurrences": "INTEGER", "prefix": "VARCHAR", "suffix": "VARCHAR",
  "closest": "VARCHAR", "edit_distance": "INTEGER", "changes": "VARCHAR", "flags": ["VARCHAR"], "found_in": ["VARCHAR"]}]')) AS r)
LEFT JOIN (SELECT evidence_id, max_by(c, c.recorded_at) AS newest FROM cb.quote_check AS c GROUP BY evidence_id) AS n
  ON n.evidence_id = r.evidence_id
WHERE (n.newest.rule, n.newest.profile_sha256, n.newest.status, n.newest.tier, n.newest.match_start, n.newest.match_end,
    n.newest.changes, n.newest.flags, n.newest.found_in)
  IS DISTINCT FROM ($rule, r.profile_sha256, r.status, r.tier, r.match_start, r.match_end, r.changes, r.flags, r.found_in)
ORDER BY r.evidence_id
