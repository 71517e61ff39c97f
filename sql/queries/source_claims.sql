-- How many claims of a source stand.
SELECT count(DISTINCT claim_no) FROM cb.visible($recorded_by, $recorded_by) WHERE source_id = $source_id
