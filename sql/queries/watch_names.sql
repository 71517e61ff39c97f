-- The name of every watch there is or was, each once.
SELECT DISTINCT name FROM cb.watch ORDER BY name
