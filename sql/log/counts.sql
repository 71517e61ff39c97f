-- New claims, further readings, and rows that say nothing new.
SELECT claims, said - claims, rows - said FROM (
  SELECT
    (SELECT count(*) FROM new_claim) AS claims,
    (SELECT count(DISTINCT (claim_no, observed_at)) FROM new_entry WHERE kind = 'said') AS said,
    (SELECT count(*) FROM accepted WHERE row > 0 AND entry = 'said') AS rows)
