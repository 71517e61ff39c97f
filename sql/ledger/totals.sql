-- How much there is to verify.
SELECT (SELECT count(*) FROM cb.batch) AS batches, (SELECT count(*) FROM cb.claim) AS versions, (SELECT count(*) FROM cb.entry) AS entries
