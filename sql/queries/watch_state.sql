-- How the subjects of a watch stood at its last evaluation; those that stand nowhere are left out.
SELECT provider, subject, eligible, disputed, supporting, disputing, stale
FROM (
  FROM cb.watch_state WHERE watch_id = $watch_id
  QUALIFY row_number() OVER (PARTITION BY provider, subject ORDER BY evaluation_id DESC) = 1)
WHERE eligible OR disputed ORDER BY provider, subject
