-- Schema files applied to this base.
SELECT number FROM cb.migration ORDER BY number
