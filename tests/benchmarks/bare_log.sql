-- The scan limit of an import: the engine reads the same log and writes its lines in order, without a question asked.
CREATE OR REPLACE TABLE bare AS
SELECT * FROM read_json($path, format = 'newline_delimited', columns = {
  observedAt: 'TIMESTAMPTZ', commit: 'VARCHAR', op: 'VARCHAR', file: 'VARCHAR', subject: 'VARCHAR', path: 'VARCHAR', value: 'VARCHAR'})
ORDER BY subject, path, observedAt
