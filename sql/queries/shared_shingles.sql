-- Sources whose current texts share runs of five words: how many both hold, and how many the one with fewer has. A run found in more than
-- $common texts is boilerplate and left out of all counts; pairs that share fewer than $least are not listed. Texts of the same words are one
-- text, of which each further holder is paired with the first; a character of Chinese or Japanese is a word.
WITH worded AS (
  SELECT r.source_key, regexp_extract_all(
      regexp_replace(lower(nfc_normalize(t.text)), '([\x{3040}-\x{30ff}\x{3400}-\x{9fff}\x{f900}-\x{faff}])', ' \1 ', 'g'),
      '[\p{L}\p{N}\p{M}]+') AS words
  FROM cb.snapshot_current($observed_by, $recorded_by) AS t JOIN cb.source AS r ON r.source_id = t.source_id
  WHERE t.text IS NOT NULL),
body AS MATERIALIZED (
  SELECT words, list(source_key ORDER BY source_key) AS holders, row_number() OVER () AS body_no FROM worded GROUP BY words),
run AS (
  SELECT body_no, unnest(words) AS a, unnest(words[2:]) AS b, unnest(words[3:]) AS c, unnest(words[4:]) AS d, unnest(words[5:]) AS e
  FROM body),
shingle AS (SELECT DISTINCT body_no, concat_ws(' ', a, b, c, d, e) AS run FROM run WHERE e IS NOT NULL),
telling AS MATERIALIZED (
  SELECT body_no, run, count(*) OVER (PARTITION BY run) AS bodies FROM shingle QUALIFY bodies <= $common),
size AS MATERIALIZED (SELECT body_no, count(*) AS runs FROM telling GROUP BY body_no),
pair AS (
  SELECT a.body_no AS one, b.body_no AS other, count(*) AS shared
  FROM telling AS a JOIN telling AS b ON b.run = a.run AND a.body_no < b.body_no
  WHERE a.bodies > 1 GROUP BY a.body_no, b.body_no HAVING count(*) >= $least)
SELECT least(x.holders[1], y.holders[1]) AS one, greatest(x.holders[1], y.holders[1]) AS other, p.shared, least(m.runs, n.runs) AS smaller
FROM pair AS p
JOIN body AS x ON x.body_no = p.one JOIN size AS m ON m.body_no = p.one
JOIN body AS y ON y.body_no = p.other JOIN size AS n ON n.body_no = p.other
UNION ALL
SELECT x.holders[1], unnest(x.holders[2:]), n.runs, n.runs
FROM body AS x JOIN size AS n ON n.body_no = x.body_no WHERE len(x.holders) > 1 AND n.runs >= $least
ORDER BY one, other
