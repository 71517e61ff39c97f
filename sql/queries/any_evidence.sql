-- Whether any quote is bound to a text.
SELECT EXISTS (FROM cb.evidence)
