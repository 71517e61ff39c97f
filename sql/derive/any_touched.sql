-- Whether any slot is touched.
SELECT EXISTS (FROM touched)
