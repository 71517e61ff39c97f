-- Take evidence out of use or put it back; what is so already is no news.
INSERT INTO cb.evidence_event
SELECT $evidence_id, $event, $reason, $recorded_at
WHERE coalesce((SELECT arg_max(event, recorded_at) FROM cb.evidence_event WHERE evidence_id = $evidence_id), 'restored') <> $event
