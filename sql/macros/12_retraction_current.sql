-- What providers say of each publication within a basis (evidence §5): of each provider its newest notice, of all of them the most severe.
-- An answer that names no notice (ok) or that failed (unavailable) takes no notice back; of answers alone the newest of each provider counts.
CREATE OR REPLACE MACRO cb.retraction_current(observed_by, recorded_by) AS TABLE
  WITH known AS (
    SELECT n.*, n.status NOT IN ('ok', 'unavailable') AS is_notice,
      list_position(['ok', 'unavailable', 'reinstated', 'corrected', 'expression-of-concern', 'retracted'], n.status) AS severity
    FROM cb.retraction_notice AS n WHERE n.observed_at <= observed_by AND n.recorded_at <= recorded_by),
  standing AS (
    SELECT * FROM known
    QUALIFY row_number() OVER (PARTITION BY doi_key, provider ORDER BY is_notice DESC,
      CASE WHEN is_notice THEN coalesce(notice_date, (observed_at AT TIME ZONE 'UTC')::DATE) END DESC, observed_at DESC, severity DESC,
      provider_entry, notice_url, asserted_by) = 1)
  SELECT doi_key, status, notice_date, notice_url, provider, provider_entry, asserted_by, observed_at,
    count(*) OVER (PARTITION BY doi_key) AS providers
  FROM standing
  QUALIFY row_number() OVER (PARTITION BY doi_key ORDER BY severity DESC, notice_date DESC NULLS LAST, provider) = 1
