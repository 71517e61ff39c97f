-- The digests of all rows before anything is removed.
CREATE OR REPLACE TEMP TABLE leaf_before AS SELECT recorded_at, digest FROM cb.leaf() WHERE recorded_at < $recorded_at
