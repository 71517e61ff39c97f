-- Ten times the world by SQL: nine more copies of every subject with its claims; dimensions, quotes and values are shared.
CREATE TEMP TABLE step AS SELECT k, (SELECT max(subject_id) FROM cb.subject) * k AS subjects, (SELECT max(version_id) FROM cb.claim) * k AS versions FROM range(1, 10) AS r(k);
INSERT INTO cb.subject SELECT s.* REPLACE (subject_id + subjects AS subject_id, name || ' of ' || k AS name, name_key || ' of ' || k AS name_key) FROM cb.subject AS s, step;
INSERT INTO cb.meaning SELECT m.* REPLACE (hash(claim_no, k) AS claim_no) FROM cb.meaning AS m, step;
INSERT INTO cb.statement SELECT t.* REPLACE (hash(claim_no, k) AS claim_no, subject_id + subjects AS subject_id) FROM cb.statement AS t, step;
INSERT INTO cb.entry SELECT e.* REPLACE (hash(claim_no, k) AS claim_no, subject_id + subjects AS subject_id) FROM cb.entry AS e, step ORDER BY predicate_id, subject_id;
INSERT INTO cb.claim SELECT c.* REPLACE (version_id + versions AS version_id, hash(claim_no, k) AS claim_no, subject_id + subjects AS subject_id)
FROM cb.claim AS c, step ORDER BY predicate_id, subject_id, from_earliest;
CHECKPOINT
