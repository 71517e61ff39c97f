-- The source with an address or an id; why it was withdrawn, if it was; and how many claims of it stand.
SELECT r.source_id, r.uri, w.reason, (SELECT count(DISTINCT claim_no) FROM cb.visible($recorded_by, $recorded_by) AS v
  WHERE v.source_id = r.source_id) AS claims
FROM cb.source AS r LEFT JOIN cb.withdrawn($recorded_by) AS w ON w.source_id = r.source_id
WHERE r.url_key = $address OR r.source_key = $name
