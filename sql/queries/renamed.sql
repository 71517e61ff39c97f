-- Subjects that stand for another one, as the merges named them (P2).
SELECT alias_id, canonical_id FROM cb.renamed('subject', $recorded_by)
