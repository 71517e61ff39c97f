-- The same through the one definition of active.
SELECT count(*), sum(value_min) FROM cb.active($t, $o, $o) WHERE certain
