-- Make a file that another is copied to.
ATTACH $path AS kept
