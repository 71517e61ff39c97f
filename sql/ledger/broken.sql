-- Every batch whose root, predecessor, number or instant is not as its rows and neighbours say, and rows that belong to no batch (G6).
WITH chained AS (
  SELECT b.*, lag(batch_id) OVER w AS id_before, lag(root) OVER w AS root_before, lag(recorded_at) OVER w AS at_before
  FROM cb.batch AS b WINDOW w AS (ORDER BY batch_id)),
judged AS (
  SELECT coalesce(c.recorded_at, h.recorded_at) AS recorded_at, c.batch_id, CASE
      WHEN c.batch_id IS NULL THEN 'rows of no batch'
      WHEN c.batch_id <> coalesce(c.id_before + 1, 0) THEN 'a batch is missing before it'
      WHEN c.prev <> coalesce(c.root_before, '') THEN 'it does not follow from the batch before it'
      WHEN c.recorded_at <= c.at_before THEN 'it is not later than the batch before it'
      WHEN c.root <> cb.root(c.prev, c.batch_id, c.recorded_at, c.verb, c.entries, c.versions_added, c.versions_retracted,
          (SELECT string_agg(to_json(m)::VARCHAR, '' ORDER BY number) FROM cb.migration AS m WHERE m.applied_at <= c.recorded_at), h.leaves)
        THEN 'its rows are not those its root was made of'
    END AS what
  FROM chained AS c FULL JOIN cb.bundled() AS h ON h.recorded_at = c.recorded_at)
SELECT 'batch' AS part, what, batch_id, recorded_at::VARCHAR AS detail FROM judged WHERE what IS NOT NULL
ORDER BY recorded_at, batch_id LIMIT $most
