-- The lines of the log that go with the claim. Those that a correction lets count as another claim's stay: that claim rests on them,
-- and they hold no words.
CREATE OR REPLACE TEMP TABLE erased_line AS
SELECT e.* FROM cb.entry AS e JOIN cb.attributed($recorded_at) AS a ON a.named = e.claim_no AND a.o = e.observed_at
WHERE e.claim_no = $claim_no AND a.counts_as IS NULL
