-- One subject: what is active, with its quotes.
SELECT c.predicate_id, c.value, q.quote FROM __ACTIVE__ AS c JOIN __QUOTE__ AS q ON q.quote_id = c.quote_id
WHERE c.subject_id = 7 ORDER BY c.predicate_id, c.value, q.quote
