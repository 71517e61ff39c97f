-- What the claims mean under the new declaration.
INSERT INTO cb.meaning
SELECT n.claim_no, n.value_id, u.unit_id, n.value_min, n.value_max, n.min_open, n.max_open, n.approximate,
  n.value_precision, $recorded_at
FROM understood AS n LEFT JOIN cb.unit AS u ON u.name = n.unit ORDER BY n.claim_no
