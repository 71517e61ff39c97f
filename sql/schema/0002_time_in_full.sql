-- Time in full: quotes of corrections, withdrawn sources, tombstones of what was erased, open reviews, watches and their events.

-- the words a decision's other claim rests on, where no reading of its own brings them
ALTER TABLE cb.decision ADD COLUMN quote_id UBIGINT;

-- why a name was given to another subject, or taken from it (P2)
ALTER TABLE cb.alias ADD COLUMN reason VARCHAR;

-- sources that no longer count as support, from recorded_at on (R2)
CREATE TABLE cb.withdrawal (source_id INTEGER NOT NULL, reason VARCHAR NOT NULL, recorded_at TIMESTAMPTZ NOT NULL);

-- a page found changed without its successor being named: somebody should look (W2)
CREATE TABLE cb.review (
  claim_no UBIGINT NOT NULL, source_id INTEGER NOT NULL, observed_at TIMESTAMPTZ NOT NULL, reason VARCHAR NOT NULL,
  recorded_at TIMESTAMPTZ NOT NULL);

-- what was erased: its place and the reason, never its content; leaves are the digests of the log lines that went with it, each with
-- the instant of its batch, so that the roots of those batches can still be checked (G6)
CREATE TABLE cb.tombstone (
  claim_no UBIGINT NOT NULL, predicate_id SMALLINT NOT NULL, subject_id INTEGER NOT NULL, scope_id INTEGER NOT NULL,
  source_id INTEGER NOT NULL, reason VARCHAR NOT NULL,
  leaves STRUCT(written_at TIMESTAMPTZ, digest VARCHAR)[] NOT NULL, recorded_at TIMESTAMPTZ NOT NULL);

-- saved constraints and how to ask them; the newest row of a watch says whether it goes on (Q10)
CREATE TABLE cb.watch (
  watch_id INTEGER NOT NULL, name VARCHAR NOT NULL, bundle VARCHAR NOT NULL, stopped BOOLEAN NOT NULL,
  recorded_at TIMESTAMPTZ NOT NULL);

-- each time a watch was answered: its basis, when it is due again, and how many subjects it found
CREATE TABLE cb.watch_evaluation (
  evaluation_id INTEGER NOT NULL, watch_id INTEGER NOT NULL, valid_at TIMESTAMPTZ NOT NULL, observed_by TIMESTAMPTZ NOT NULL,
  recorded_by TIMESTAMPTZ NOT NULL, batch_id BIGINT, vocabulary VARCHAR NOT NULL, next_change_at TIMESTAMPTZ,
  next_stale_at TIMESTAMPTZ, eligible INTEGER NOT NULL, disputed INTEGER NOT NULL, stale INTEGER NOT NULL,
  recorded_at TIMESTAMPTZ NOT NULL);

-- how a subject stands with a watch from an evaluation on; written only where it differs from the row before
CREATE TABLE cb.watch_state (
  evaluation_id INTEGER NOT NULL, watch_id INTEGER NOT NULL, provider VARCHAR NOT NULL, subject VARCHAR NOT NULL,
  eligible BOOLEAN NOT NULL, disputed BOOLEAN NOT NULL, supporting UBIGINT[] NOT NULL, disputing UBIGINT[] NOT NULL,
  stale UBIGINT[] NOT NULL, recorded_at TIMESTAMPTZ NOT NULL);

-- what changed between two evaluations, and the claims that caused it
CREATE TABLE cb.watch_event (
  event_no BIGINT NOT NULL, evaluation_id INTEGER NOT NULL, watch_id INTEGER NOT NULL, event VARCHAR NOT NULL,
  provider VARCHAR NOT NULL, subject VARCHAR NOT NULL, because UBIGINT[] NOT NULL, detail VARCHAR NOT NULL,
  recorded_at TIMESTAMPTZ NOT NULL);
