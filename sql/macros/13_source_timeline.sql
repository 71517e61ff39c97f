-- Sources by the domain of their address, in the order in which they were first read: how often, until when, with how many texts.
CREATE OR REPLACE MACRO cb.source_timeline(observed_by, recorded_by) AS TABLE
  WITH read AS (
    SELECT f.source_id, f.fetched_at AS read_at, f.snapshot_id FROM cb.fetch AS f
    WHERE cb.countable(f.disposition) AND f.fetched_at <= observed_by AND f.recorded_at <= recorded_by
    UNION
    SELECT e.source_id, e.observed_at, NULL FROM cb.entry AS e
    WHERE e.kind <> 'unreachable' AND e.observed_at <= observed_by AND e.recorded_at <= recorded_by)
  SELECT coalesce(nullif(regexp_extract(r.url_key, '^https?://(?:www\.)?([^/?#]+)', 1), ''), regexp_extract(r.url_key, '^([^:]+)', 1)) AS domain,
    r.source_key AS source_id, r.uri, d.title, d.publisher, d.published_at, min(t.read_at) AS first_read_at, max(t.read_at) AS last_read_at,
    count(DISTINCT t.read_at) AS readings, count(DISTINCT t.snapshot_id) AS texts
  FROM cb.source AS r
  LEFT JOIN read AS t ON t.source_id = r.source_id
  LEFT JOIN cb.source_described(observed_by, recorded_by) AS d ON d.source_id = r.source_id
  WHERE r.recorded_at <= recorded_by
  GROUP BY ALL
