-- Whether a reading of a page counts: it refreshes what rests on the source and may prove a change (evidence §4.4).
CREATE OR REPLACE MACRO cb.countable(disposition) AS disposition IN ('accepted', 'unchanged', 'asserted')
