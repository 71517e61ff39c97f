-- The whole box: dimensions, the append-only log (statements, readings, entries, decisions), the derived versions, the ledger.
CREATE SCHEMA cb;

CREATE TABLE cb.predicate (
  predicate_id SMALLINT NOT NULL, name VARCHAR NOT NULL, recorded_at TIMESTAMPTZ NOT NULL);

CREATE TABLE cb.predicate_declaration (
  predicate_id SMALLINT NOT NULL, pack VARCHAR NOT NULL, declaration VARCHAR NOT NULL, recorded_at TIMESTAMPTZ NOT NULL);

CREATE TABLE cb.subject (
  subject_id INTEGER NOT NULL, provider VARCHAR NOT NULL, name VARCHAR NOT NULL,
  provider_key VARCHAR NOT NULL, name_key VARCHAR NOT NULL, recorded_at TIMESTAMPTZ NOT NULL);

-- scope 0 is the empty one; qualifiers are canonical JSON
CREATE TABLE cb.scope (
  scope_id INTEGER NOT NULL, qualifiers VARCHAR NOT NULL, recorded_at TIMESTAMPTZ NOT NULL);

CREATE TABLE cb.unit (
  unit_id SMALLINT NOT NULL, name VARCHAR NOT NULL, dimension VARCHAR NOT NULL, recorded_at TIMESTAMPTZ NOT NULL);

-- another name of a subject or a predicate, resolved at read (P2)
CREATE TABLE cb.alias (
  kind VARCHAR NOT NULL, alias_id INTEGER NOT NULL, canonical_id INTEGER NOT NULL, revoked BOOLEAN NOT NULL,
  recorded_at TIMESTAMPTZ NOT NULL);

CREATE TABLE cb.source (
  source_id INTEGER NOT NULL, source_key VARCHAR NOT NULL, uri VARCHAR NOT NULL, url_key VARCHAR NOT NULL,
  recorded_at TIMESTAMPTZ NOT NULL);

-- how a source is read: whole = each reading reads every slot; complete = a removal is a denial; own = it dates itself
CREATE TABLE cb.source_mode (
  source_id INTEGER NOT NULL, whole BOOLEAN NOT NULL, complete BOOLEAN NOT NULL, own BOOLEAN NOT NULL,
  recorded_at TIMESTAMPTZ NOT NULL);

CREATE TABLE cb.source_attribute (
  source_id INTEGER NOT NULL, observed_at TIMESTAMPTZ NOT NULL, title VARCHAR, publisher VARCHAR,
  published_at TIMESTAMPTZ, source_type VARCHAR NOT NULL, authority VARCHAR NOT NULL, derived_from VARCHAR,
  recorded_at TIMESTAMPTZ NOT NULL);

-- quote_id is the first 64 bits of the digest of its content: equal quotes are one row in any arrival order
CREATE TABLE cb.quote (
  quote_id UBIGINT NOT NULL, quote VARCHAR NOT NULL CHECK (length(trim(quote)) > 0), selector VARCHAR,
  reasoning VARCHAR, confidence VARCHAR, recorded_at TIMESTAMPTZ NOT NULL);

-- claim_no is the number in claim_id: the first 64 bits of the digest of the claim's content (B6).
-- what its value means under its predicate is in cb.meaning
CREATE TABLE cb.statement (
  claim_no UBIGINT NOT NULL, predicate_id SMALLINT NOT NULL, subject_id INTEGER NOT NULL, scope_id INTEGER NOT NULL,
  source_id INTEGER NOT NULL, absent BOOLEAN NOT NULL, complete BOOLEAN NOT NULL,
  value VARCHAR NOT NULL, normalized_value VARCHAR, stated_unit VARCHAR,
  effective_from VARCHAR, effective_until VARCHAR, from_kind VARCHAR NOT NULL, until_kind VARCHAR NOT NULL,
  from_earliest TIMESTAMPTZ, from_latest TIMESTAMPTZ, until_earliest TIMESTAMPTZ, until_latest TIMESTAMPTZ,
  recorded_at TIMESTAMPTZ NOT NULL);

-- the canonical text behind a value_id, which is the first 64 bits of its digest with the unit (V9)
CREATE TABLE cb.value (value_id UBIGINT NOT NULL, value_key VARCHAR NOT NULL, recorded_at TIMESTAMPTZ NOT NULL);

-- how the grammar reads a statement's value under its predicate; a pack that changes kind or unit appends a new row (P1)
CREATE TABLE cb.meaning (
  claim_no UBIGINT NOT NULL, value_id UBIGINT NOT NULL, unit_id SMALLINT,
  value_min DECIMAL(38, 12), value_max DECIMAL(38, 12), min_open BOOLEAN NOT NULL, max_open BOOLEAN NOT NULL,
  approximate BOOLEAN NOT NULL, value_precision VARCHAR, recorded_at TIMESTAMPTZ NOT NULL);

CREATE TABLE cb.reading (
  source_id INTEGER NOT NULL, observed_at TIMESTAMPTZ NOT NULL, outcome VARCHAR NOT NULL, whole BOOLEAN NOT NULL,
  declared_version VARCHAR, snapshot_id VARCHAR, recorded_at TIMESTAMPTZ NOT NULL);

-- what a reading said of one claim: said, gone, unreachable
CREATE TABLE cb.entry (
  predicate_id SMALLINT NOT NULL, subject_id INTEGER NOT NULL, scope_id INTEGER NOT NULL, source_id INTEGER NOT NULL,
  claim_no UBIGINT NOT NULL, observed_at TIMESTAMPTZ NOT NULL, ordinal BIGINT, kind VARCHAR NOT NULL,
  quote_id UBIGINT, recorded_at TIMESTAMPTZ NOT NULL,
  CHECK (kind IN ('said', 'gone', 'unreachable')));

-- supersede, correct, retract, erase: they name claims and cover the readings made up to decided_at (B6)
CREATE TABLE cb.decision (
  kind VARCHAR NOT NULL, claim_no UBIGINT NOT NULL, other_no UBIGINT, effective_at TIMESTAMPTZ, observed_at TIMESTAMPTZ,
  decided_at TIMESTAMPTZ NOT NULL, reason VARCHAR, recorded_at TIMESTAMPTZ NOT NULL);

-- versions, derived from the log (B1); NULL = unbounded on that side (T1)
CREATE TABLE cb.claim (
  version_id BIGINT NOT NULL,
  predicate_id SMALLINT NOT NULL, subject_id INTEGER NOT NULL, scope_id INTEGER NOT NULL, source_id INTEGER NOT NULL,
  claim_no UBIGINT NOT NULL, quote_id UBIGINT NOT NULL,
  value_min DECIMAL(38, 12), value_max DECIMAL(38, 12), value_id UBIGINT NOT NULL, unit_id SMALLINT,
  absent BOOLEAN NOT NULL, complete BOOLEAN NOT NULL, min_open BOOLEAN NOT NULL, max_open BOOLEAN NOT NULL,
  dated BOOLEAN NOT NULL, bounded BOOLEAN NOT NULL,
  from_earliest TIMESTAMPTZ USING COMPRESSION bitpacking,
  from_latest TIMESTAMPTZ USING COMPRESSION bitpacking,
  until_earliest TIMESTAMPTZ USING COMPRESSION bitpacking,
  until_latest TIMESTAMPTZ USING COMPRESSION bitpacking,
  observed_at TIMESTAMPTZ NOT NULL USING COMPRESSION bitpacking,
  observed_from TIMESTAMPTZ NOT NULL USING COMPRESSION bitpacking,
  observed_until TIMESTAMPTZ USING COMPRESSION bitpacking,
  recorded_at TIMESTAMPTZ NOT NULL USING COMPRESSION bitpacking,
  retracted_at TIMESTAMPTZ USING COMPRESSION bitpacking,
  CHECK (from_earliest <= from_latest), CHECK (until_earliest <= until_latest),
  CHECK (until_earliest IS NOT NULL OR until_latest IS NULL), CHECK (from_earliest < until_latest),
  CHECK (from_earliest IS NOT NULL OR from_latest IS NOT NULL), CHECK (observed_at <= observed_from),
  CHECK (observed_from < observed_until), CHECK (observed_from <= recorded_at), CHECK (recorded_at < retracted_at));

-- what became of a version's claim: replaced, corrected, retracted, erased (B1)
CREATE TABLE cb.retraction (
  version_id BIGINT NOT NULL, claim_no UBIGINT NOT NULL, kind VARCHAR NOT NULL, reason VARCHAR, replaced_by UBIGINT,
  recorded_at TIMESTAMPTZ NOT NULL);

-- the ledger: one row a write, committed with it; root chains over prev (G6)
CREATE TABLE cb.batch (
  batch_id BIGINT NOT NULL, recorded_at TIMESTAMPTZ NOT NULL, verb VARCHAR NOT NULL, entries BIGINT NOT NULL,
  versions_added BIGINT NOT NULL, versions_retracted BIGINT NOT NULL, root VARCHAR NOT NULL, prev VARCHAR NOT NULL);

CREATE TABLE cb.migration (
  number INTEGER NOT NULL, name VARCHAR NOT NULL, engine VARCHAR NOT NULL, applied_at TIMESTAMPTZ NOT NULL);
