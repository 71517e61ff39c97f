-- Copy the rows of one table, in the order in which they lie; cb.one stands for each table in turn.
INSERT INTO kept.cb.one FROM cb.one
