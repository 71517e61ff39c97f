-- The two tables of a peer.
CREATE TABLE claim (
  subject_id integer NOT NULL, predicate_id integer NOT NULL, scope_id integer NOT NULL, source_id integer NOT NULL, claim_no text NOT NULL,
  quote_id text NOT NULL, value double precision NOT NULL, from_latest bigint, until_earliest bigint, observed_at bigint NOT NULL,
  observed_from bigint NOT NULL, observed_until bigint, recorded_at bigint NOT NULL, retracted_at bigint);
CREATE TABLE quote (quote_id text NOT NULL PRIMARY KEY, quote text NOT NULL)
