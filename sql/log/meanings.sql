-- What the values of the new claims mean.
INSERT INTO cb.meaning
SELECT n.claim_no, g.value_id, u.unit_id, g.value_min, g.value_max, g.min_open, g.max_open, g.approximate,
  g.value_precision, $recorded_at
FROM new_claim AS n JOIN staged AS g USING (row) LEFT JOIN cb.unit AS u ON u.name = g.unit
