-- Every incoming row with what its texts were read as, and the first reason to refuse it, if there is one. Long texts stay in `incoming`.
CREATE OR REPLACE TEMP TABLE staged AS
WITH value_told AS (
  SELECT *, concat(cb.spelt(shown), cb.spelt(normalized_value), cb.spelt(stated_unit)) AS spelt FROM value_read),
bound_told AS (
  SELECT *, concat(
      cb.spelt(from_kind), cb.spelt(epoch_us(from_earliest)::VARCHAR), cb.spelt(epoch_us(from_latest)::VARCHAR),
      cb.spelt(until_kind), cb.spelt(epoch_us(until_earliest)::VARCHAR), cb.spelt(epoch_us(until_latest)::VARCHAR)) AS spelt
  FROM bound_read),
joined AS (
  SELECT i.row, coalesce(i.entry, 'said') AS entry, TRY_CAST(i.ordinal AS BIGINT) AS ordinal,
    p.name AS provider, p.name_key AS provider_key, s.name AS subject, s.name_key AS subject_key, d.name AS predicate,
    coalesce(o.qualifiers, '{}') AS qualifiers, i.polarity = 'absent' IS TRUE AS absent,
    coalesce(i.complete, 'false') = 'true' AND NOT absent AS complete,
    v.shown AS value, v.spelt AS value_spelt, v.value_key, v.value_id, v.unit, v.dimension,
    v.value_min, v.value_max, v.min_open, v.max_open, v.approximate, v.value_precision,
    b.spelt AS bounds_spelt, b.from_kind, b.from_earliest, b.from_latest, b.until_kind, b.until_earliest, b.until_latest,
    least(m.moment, $recorded_at) AS observed_at, i.quote,
    CASE WHEN json_valid(i.selector) THEN json(i.selector)::VARCHAR ELSE i.selector END AS selector, i.reasoning, i.confidence, i.claim_id,
    r.uri, r.url_key, r.source_key, i.source_title AS title, i.source_publisher AS publisher, h.moment AS published_at,
    r.source_type, r.authority, r.derived_from,
    CASE
      WHEN i.provider IS NULL THEN ['InputError.missing_field', 'provider is missing']
      WHEN p.code IS NOT NULL THEN [p.code, 'provider: ' || p.message]
      WHEN i.subject IS NULL THEN ['InputError.missing_field', 'subject is missing']
      WHEN s.code IS NOT NULL THEN [s.code, 'subject: ' || s.message]
      WHEN i.predicate IS NULL THEN ['InputError.missing_field', 'predicate is missing']
      WHEN d.code IS NOT NULL THEN [d.code, d.message]
      WHEN o.code IS NOT NULL THEN [o.code, 'scope: ' || o.message]
      WHEN coalesce(i.entry, 'said') NOT IN ('said', 'gone', 'unreachable')
        THEN ['InputError.bad_entry', 'entry is said, gone or unreachable', i.entry]
      WHEN TRY_CAST(i.ordinal AS BIGINT) IS DISTINCT FROM TRY_CAST(i.ordinal AS DECIMAL(38, 9)) OR i.ordinal IS NOT NULL AND TRY_CAST(i.ordinal AS BIGINT) IS NULL
        THEN ['InputError.bad_ordinal', 'ordinal is a whole number', i.ordinal]
      WHEN coalesce(i.polarity, 'stated') NOT IN ('stated', 'absent') THEN ['InputError.bad_polarity', 'polarity is stated or absent', i.polarity]
      WHEN coalesce(i.complete, 'false') NOT IN ('true', 'false') THEN ['InputError.bad_flag', 'complete is true or false', i.complete]
      WHEN coalesce(i.keep_unread, 'false') NOT IN ('true', 'false') THEN ['InputError.bad_flag', 'keep_unread is true or false', i.keep_unread]
      WHEN coalesce(i.confidence, 'high') NOT IN ('high', 'medium', 'low')
        THEN ['InputError.bad_confidence', 'confidence is high, medium or low', i.confidence]
      WHEN v.code IS NOT NULL THEN [v.code, 'value: ' || v.message]
      WHEN b.code IS NOT NULL THEN [b.code, b.message]
      WHEN i.observed_at IS NULL THEN ['InstantError.missing_observed_at', 'observed_at is missing: when was the source read? (B5)']
      WHEN m.code IS NOT NULL THEN [m.code, 'observed_at: ' || m.message]
      WHEN m.moment > $recorded_at + to_microseconds($skew)
        THEN ['InstantError.future_observation', 'observed_at lies in the future (B5)', i.observed_at]
      WHEN h.code IS NOT NULL THEN [h.code, 'published_at: ' || h.message]
      WHEN i.source_url IS NULL THEN ['UnknownSourceError.missing_source', 'a claim needs a source with a url (B7)']
      WHEN r.code IS NOT NULL THEN [r.code, 'source: ' || r.message]
      WHEN coalesce(i.entry, 'said') = 'said' AND NOT regexp_matches(coalesce(i.quote, ''), '[^\s\pZ\pC\x{034F}\x{115F}\x{1160}\x{17B4}\x{17B5}\x{180B}-\x{180F}\x{2800}\x{3164}\x{FE00}-\x{FE0F}\x{FFA0}\x{E0100}-\x{E01EF}]')
        THEN ['EvidenceError.missing_quote', 'quote: a claim needs the words it rests on (B7)', i.quote]
      WHEN length(i.quote) > 20000 THEN ['LimitError.too_large', 'a quote has at most 20,000 characters']
      WHEN greatest(length(i.source_title), length(i.source_publisher), length(i.selector), length(i.reasoning)) > 20000
        THEN ['LimitError.too_large', 'title, publisher, selector and reasoning have at most 20,000 characters each']
    END AS problem
  FROM incoming AS i
  LEFT JOIN name_read AS p ON p.text = i.provider
  LEFT JOIN name_read AS s ON s.text = i.subject
  LEFT JOIN predicate_read AS d ON d.text = i.predicate
  LEFT JOIN scope_read AS o ON o.text = i.scope
  LEFT JOIN instant_read AS m ON m.text = i.observed_at
  LEFT JOIN instant_read AS h ON h.text = i.source_published_at
  JOIN value_told AS v ON v.predicate IS NOT DISTINCT FROM i.predicate AND v.value IS NOT DISTINCT FROM i.value
    AND v.normalized_value IS NOT DISTINCT FROM i.normalized_value AND v.stated_unit IS NOT DISTINCT FROM i.unit
    AND v.polarity IS NOT DISTINCT FROM i.polarity AND v.keep_unread IS NOT DISTINCT FROM i.keep_unread
  JOIN bound_told AS b ON b.effective_from IS NOT DISTINCT FROM i.effective_from
    AND b.effective_until IS NOT DISTINCT FROM i.effective_until
    AND b.effective_through IS NOT DISTINCT FROM i.effective_through AND b.zone IS NOT DISTINCT FROM i.zone
  JOIN source_read AS r ON r.given_url IS NOT DISTINCT FROM i.source_url AND r.given_type IS NOT DISTINCT FROM i.source_type
    AND r.given_authority IS NOT DISTINCT FROM i.source_authority
    AND r.given_parent IS NOT DISTINCT FROM i.source_derived_from),
identified AS (
  SELECT *,
    cb.content_number(concat(
      cb.spelt(url_key), cb.spelt(provider_key), cb.spelt(subject_key), cb.spelt(predicate), cb.spelt(qualifiers),
      CASE WHEN absent THEN '6:absent' WHEN complete THEN '8:complete' ELSE '6:stated' END, value_spelt, bounds_spelt)) AS claim_no,
    cb.content_number(concat(cb.spelt(quote), cb.spelt(selector), cb.spelt(reasoning), cb.spelt(confidence))) AS quote_id
  FROM joined)
SELECT * EXCLUDE (
    quote, reasoning, confidence, value_spelt, bounds_spelt)
  REPLACE (CASE
    WHEN problem IS NULL AND claim_id IS NOT NULL AND claim_id <> 'c_' || lpad(lower(to_hex(claim_no)), 16, '0')
      THEN ['InputError.id_mismatch', 'claim_id does not belong to this content', claim_id] ELSE problem END AS problem)
FROM identified
