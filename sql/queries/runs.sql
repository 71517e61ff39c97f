-- The valid bounds of a claim's versions at a basis, by their start.
SELECT DISTINCT from_earliest, from_latest, until_earliest, until_latest
FROM cb.visible($observed_by, $recorded_by) AS c WHERE c.claim_no = $claim_no
ORDER BY from_latest NULLS FIRST, from_earliest NULLS FIRST, until_earliest NULLS LAST, until_latest NULLS LAST
