-- Evidence: texts as read, readings of pages, quotes bound to them, every check, notices, reviews, receipts.

-- what somebody decided about a source, beside what the source says of itself; the newest row within a basis holds
CREATE TABLE cb.source_setting (
  source_id INTEGER NOT NULL, allowed BOOLEAN NOT NULL, allowed_reason VARCHAR, freshness_days INTEGER, doi_key VARCHAR,
  tenant VARCHAR, mirror_of VARCHAR, recorded_at TIMESTAMPTZ NOT NULL);

-- a text as read; snapshot_id = 'sha256:' + its digest + '/' + the source's id; text NULL where only the bytes' digest is held.
-- Never overwritten.
CREATE TABLE cb.snapshot (
  snapshot_id VARCHAR NOT NULL, source_id INTEGER NOT NULL, text VARCHAR, text_sha256 VARCHAR, raw_sha256 VARCHAR,
  n_chars BIGINT, media_type VARCHAR, profile VARCHAR NOT NULL, extractor VARCHAR, page_offsets INTEGER[],
  declared_version VARCHAR, published_at TIMESTAMPTZ, recorded_at TIMESTAMPTZ NOT NULL,
  CHECK (coalesce(text_sha256, raw_sha256) IS NOT NULL));

-- each time a page was read, and what became of that reading
CREATE TABLE cb.fetch (
  fetch_id VARCHAR NOT NULL, source_id INTEGER NOT NULL, requested_uri VARCHAR NOT NULL, tool VARCHAR NOT NULL,
  fetched_at TIMESTAMPTZ NOT NULL, http_status INTEGER, snapshot_id VARCHAR, disposition VARCHAR NOT NULL,
  accept_reason VARCHAR, detail VARCHAR, recorded_at TIMESTAMPTZ NOT NULL);

-- a quote in a text as read, for a claim; rank 0 is the claim's own quote
CREATE TABLE cb.evidence (
  evidence_id VARCHAR NOT NULL, claim_no UBIGINT NOT NULL, snapshot_id VARCHAR NOT NULL, role VARCHAR NOT NULL,
  rank INTEGER NOT NULL, quote VARCHAR NOT NULL CHECK (length(trim(quote)) > 0), prefix VARCHAR, suffix VARCHAR,
  page INTEGER, start_char BIGINT, end_char BIGINT, bbox DOUBLE[], selector VARCHAR, observed_value VARCHAR,
  reasoning VARCHAR, minted_by VARCHAR NOT NULL, recorded_at TIMESTAMPTZ NOT NULL);

-- evidence taken out of use, or put back
CREATE TABLE cb.evidence_event (
  evidence_id VARCHAR NOT NULL, event VARCHAR NOT NULL CHECK (event IN ('retired', 'restored')), reason VARCHAR NOT NULL,
  recorded_at TIMESTAMPTZ NOT NULL);

-- how a quote was found in its text, by which rule; a log, not a status: each row can be computed again
CREATE TABLE cb.quote_check (
  evidence_id VARCHAR NOT NULL, rule VARCHAR NOT NULL, profile_sha256 VARCHAR NOT NULL, status VARCHAR NOT NULL,
  tier VARCHAR NOT NULL, ratio VARCHAR, match_start BIGINT, match_end BIGINT, occurrences INTEGER NOT NULL,
  prefix VARCHAR, suffix VARCHAR, closest VARCHAR, edit_distance INTEGER, changes VARCHAR NOT NULL,
  flags VARCHAR[] NOT NULL, found_in VARCHAR[] NOT NULL, recorded_at TIMESTAMPTZ NOT NULL);

-- the deterministic checks of a claim, and any a user registered
CREATE TABLE cb.claim_check (
  claim_no UBIGINT NOT NULL, evidence_id VARCHAR, name VARCHAR NOT NULL, outcome VARCHAR NOT NULL, detail VARCHAR NOT NULL,
  recorded_at TIMESTAMPTZ NOT NULL);

-- what judges said: a person, a rule or a model outside; of a sentence of a report that cites a source alone, without a claim
CREATE TABLE cb.support_check (
  claim_no UBIGINT, evidence_id VARCHAR, rubric VARCHAR NOT NULL, verdict VARCHAR NOT NULL,
  method VARCHAR NOT NULL, checker VARCHAR NOT NULL, evidence_span VARCHAR, cache_key VARCHAR NOT NULL,
  downgraded_from VARCHAR, note VARCHAR, recorded_at TIMESTAMPTZ NOT NULL);

-- notices about publications; status as the provider says
CREATE TABLE cb.retraction_notice (
  doi_key VARCHAR NOT NULL, status VARCHAR NOT NULL, notice_date DATE, notice_url VARCHAR, provider VARCHAR NOT NULL,
  provider_entry VARCHAR, asserted_by VARCHAR, observed_at TIMESTAMPTZ NOT NULL, recorded_at TIMESTAMPTZ NOT NULL);

-- what a reviewer decided about an open review (cb.review); task_id is made of the review's claim, source and reading
CREATE TABLE cb.review_decision (
  task_id VARCHAR NOT NULL, decision VARCHAR NOT NULL, reviewer VARCHAR NOT NULL, note VARCHAR, recorded_at TIMESTAMPTZ NOT NULL);

-- what an erasure emptied beside the rows it removed: ids of snapshots and receipts, whose digests stay
ALTER TABLE cb.tombstone ADD COLUMN emptied VARCHAR[];

-- receipts, by the bytes their digest is of; canonical NULL where an erasure took them
CREATE TABLE cb.receipt (
  receipt_id VARCHAR NOT NULL, kind VARCHAR NOT NULL, passed BOOLEAN NOT NULL, canonical VARCHAR, body_sha256 VARCHAR NOT NULL,
  batch_id BIGINT NOT NULL, recorded_at TIMESTAMPTZ NOT NULL);
