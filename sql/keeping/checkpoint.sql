-- Bring everything of the copy into its file.
CHECKPOINT kept
