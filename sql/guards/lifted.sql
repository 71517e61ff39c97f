-- What an erasure lifts inside its transaction, before it removes or empties; the guards stand again at its end.
DROP TRIGGER kept ON cb.claim;
DROP TRIGGER kept ON cb.claim_check;
DROP TRIGGER kept ON cb.entry;
DROP TRIGGER kept ON cb.evidence;
DROP TRIGGER kept ON cb.evidence_event;
DROP TRIGGER kept ON cb.meaning;
DROP TRIGGER kept ON cb.quote;
DROP TRIGGER kept ON cb.quote_check;
DROP TRIGGER kept ON cb.review;
DROP TRIGGER kept ON cb.statement;
DROP TRIGGER kept ON cb.support_check;
DROP TRIGGER kept ON cb.value;
DROP TRIGGER unchanged ON cb.receipt;
DROP TRIGGER unchanged ON cb.snapshot;
