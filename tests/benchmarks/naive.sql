-- The schema one would write first: names as text, instants, the quote inline, in the order of arrival.
CREATE TABLE naive AS
SELECT s.provider, s.name AS subject, p.name AS predicate, c.value_min::DOUBLE AS value, o.qualifiers AS scope, c.from_latest AS valid_from,
  c.until_earliest AS valid_until, c.observed_from, c.observed_until, c.recorded_at, c.retracted_at, q.quote, r.uri AS url
FROM base.cb.claim AS c JOIN base.cb.subject AS s USING (subject_id) JOIN base.cb.predicate AS p USING (predicate_id)
JOIN base.cb.scope AS o USING (scope_id) JOIN base.cb.quote AS q USING (quote_id) JOIN base.cb.source AS r ON r.source_id = c.source_id
WHERE c.from_latest IS NOT NULL ORDER BY hash(c.version_id)
