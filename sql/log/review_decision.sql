-- What a reviewer decided about a task.
INSERT INTO cb.review_decision SELECT $task_id, $decision, $reviewer, $note, $recorded_at
