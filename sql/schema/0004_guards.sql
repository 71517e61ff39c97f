-- Guards: what is written stays. A removal or a change is refused, whoever asks (G5); of a version only its end may be set, once (B1).
-- They guard against mistakes, not intent: what a dropped guard let through, the ledger finds (G6).

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.alias REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.alias') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.alias REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.alias') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.batch REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.batch') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.batch REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.batch') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.claim REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.claim') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.claim REFERENCING OLD TABLE AS o NEW TABLE AS n FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.claim')
  FROM o LEFT JOIN n ON n.version_id = o.version_id    -- left: a version whose key changed has no partner
  WHERE n.version_id IS NULL OR o.retracted_at IS NOT NULL OR n.retracted_at IS NULL
     OR (o.predicate_id, o.subject_id, o.scope_id, o.source_id, o.claim_no, o.quote_id, o.value_min, o.value_max,
        o.value_id, o.unit_id, o.absent, o.complete, o.min_open, o.max_open, o.dated, o.bounded, o.from_earliest,
        o.from_latest, o.until_earliest, o.until_latest, o.observed_at, o.observed_from, o.observed_until,
        o.recorded_at)
        IS DISTINCT FROM
        (n.predicate_id, n.subject_id, n.scope_id, n.source_id, n.claim_no, n.quote_id, n.value_min, n.value_max,
        n.value_id, n.unit_id, n.absent, n.complete, n.min_open, n.max_open, n.dated, n.bounded, n.from_earliest,
        n.from_latest, n.until_earliest, n.until_latest, n.observed_at, n.observed_from, n.observed_until,
        n.recorded_at);

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.claim_check REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.claim_check') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.claim_check REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.claim_check') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.decision REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.decision') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.decision REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.decision') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.entry REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.entry') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.entry REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.entry') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.evidence REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.evidence') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.evidence REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.evidence') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.evidence_event REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.evidence_event') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.evidence_event REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.evidence_event') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.fetch REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.fetch') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.fetch REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.fetch') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.meaning REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.meaning') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.meaning REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.meaning') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.migration REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.batch (batch_id) SELECT error('append-only: cb.migration') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.migration REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.batch (batch_id) SELECT error('append-only: cb.migration') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.predicate REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.predicate') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.predicate REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.predicate') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.predicate_declaration REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.predicate_declaration') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.predicate_declaration REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.predicate_declaration') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.quote REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.quote') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.quote REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.quote') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.quote_check REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.quote_check') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.quote_check REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.quote_check') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.reading REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.reading') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.reading REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.reading') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.receipt REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.receipt') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.receipt REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.receipt') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.retraction REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.retraction') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.retraction REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.retraction') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.retraction_notice REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.retraction_notice') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.retraction_notice REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.retraction_notice') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.review REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.review') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.review REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.review') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.review_decision REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.review_decision') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.review_decision REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.review_decision') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.scope REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.scope') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.scope REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.scope') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.snapshot REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.snapshot') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.snapshot REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.snapshot') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.source REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.source') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.source REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.source') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.source_attribute REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.source_attribute') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.source_attribute REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.source_attribute') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.source_mode REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.source_mode') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.source_mode REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.source_mode') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.source_setting REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.source_setting') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.source_setting REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.source_setting') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.statement REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.statement') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.statement REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.statement') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.subject REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.subject') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.subject REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.subject') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.support_check REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.support_check') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.support_check REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.support_check') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.tombstone REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.tombstone') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.tombstone REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.tombstone') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.unit REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.unit') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.unit REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.unit') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.value REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.value') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.value REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.value') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.watch REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.watch') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.watch REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.watch') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.watch_evaluation REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.watch_evaluation') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.watch_evaluation REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.watch_evaluation') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.watch_event REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.watch_event') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.watch_event REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.watch_event') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.watch_state REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.watch_state') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.watch_state REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.watch_state') FROM o;

CREATE TRIGGER IF NOT EXISTS kept AFTER DELETE ON cb.withdrawal REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.withdrawal') FROM o;
CREATE TRIGGER IF NOT EXISTS unchanged AFTER UPDATE ON cb.withdrawal REFERENCING OLD TABLE AS o FOR EACH STATEMENT
  INSERT INTO cb.migration (number) SELECT error('append-only: cb.withdrawal') FROM o;
