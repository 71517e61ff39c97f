"""What proves a claim: quotes decided by words, checks, voices, notices. Pure: nothing here knows the store."""
