-- Close the copy's file.
DETACH kept
