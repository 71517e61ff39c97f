-- Claims that were accepted, with their quotes.
SELECT DISTINCT a.claim_no, i.quote FROM accepted AS a JOIN incoming AS i USING (row) WHERE a.entry = 'said' ORDER BY a.claim_no, i.quote
