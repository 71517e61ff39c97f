-- The same through the one definition of active.
SELECT certain, count(*), sum(value_min) FROM cb.active($t, $o, $o) GROUP BY certain ORDER BY certain
