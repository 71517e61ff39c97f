-- A full timeslice through the one definition of active: how many claims, of which value altogether.
SELECT count(*), sum(value_min) FROM cb.active($t, $o, $o)
