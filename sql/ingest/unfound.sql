-- Refuse rows whose quote does not stand in the text they were read from, from JSON.
UPDATE staged SET problem = [u.code, u.message]
FROM (SELECT unnest(from_json($rows, '[{"row": "BIGINT", "code": "VARCHAR", "message": "VARCHAR"}]'), recursive := true)) AS u
WHERE u.row = staged.row
