-- The names of some units.
SELECT unit_id, name FROM cb.unit WHERE list_contains($numbers, unit_id)
