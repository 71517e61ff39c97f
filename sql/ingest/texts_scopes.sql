-- Every distinct scope text.
SELECT DISTINCT scope FROM incoming WHERE scope IS NOT NULL
