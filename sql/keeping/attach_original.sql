-- Open a closed base that is copied from.
ATTACH $path AS original (READ_ONLY)
