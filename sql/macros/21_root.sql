-- The root of a batch: a digest over the root before it, the batch's own line, the schema as it was and the digests of its rows (G6).
CREATE OR REPLACE MACRO cb.root(prev, batch_id, recorded_at, verb, entries, added, retracted, migrations, leaves) AS
  sha256(concat_ws('|', prev, batch_id, epoch_us(recorded_at), verb, entries, added, retracted, migrations, coalesce(leaves, '')))
