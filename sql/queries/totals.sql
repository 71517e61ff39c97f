-- How much a base holds.
SELECT (SELECT count(*) FROM cb.statement) AS claims, (SELECT count(*) FROM cb.claim WHERE retracted_at IS NULL) AS versions,
  (SELECT count(*) FROM cb.subject) - (SELECT count(*) FROM cb.renamed('subject', 'infinity'::TIMESTAMPTZ)) AS subjects, (SELECT count(*) FROM cb.source) AS sources,
  (SELECT count(*) FROM cb.entry) AS readings, (SELECT count(*) FROM cb.batch) AS batches,
  (SELECT max(observed_at) FROM cb.entry) AS newest_reading
