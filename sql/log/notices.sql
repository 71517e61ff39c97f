-- Log notices, from JSON. A notice that was known when this reading was made is no news; an answer (ok, unavailable) is, unless of the same reading.
INSERT INTO cb.retraction_notice
SELECT r.doi_key, r.status, r.notice_date, r.notice_url, r.provider, r.provider_entry, r.asserted_by, r.observed_at, $recorded_at
FROM (SELECT DISTINCT unnest(from_json($rows, '[{"doi_key": "VARCHAR", "status": "VARCHAR", "notice_date": "DATE", "notice_url": "VARCHAR",
  "provider": "VARCHAR", "provider_entry": "VARCHAR", "asserted_by": "VARCHAR", "observed_at": "TIMESTAMPTZ"}]')) AS r)
WHERE NOT EXISTS (FROM cb.retraction_notice AS n
  WHERE n.doi_key = r.doi_key AND n.provider = r.provider
    AND (n.observed_at = r.observed_at OR n.observed_at < r.observed_at AND n.status NOT IN ('ok', 'unavailable'))
    AND (n.status, n.notice_date, n.notice_url, n.provider_entry, n.asserted_by) IS NOT DISTINCT FROM
      (r.status, r.notice_date, r.notice_url, r.provider_entry, r.asserted_by))
ORDER BY ALL
