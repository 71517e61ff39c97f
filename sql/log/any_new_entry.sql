-- Whether the batch brings a reading that is not held yet.
SELECT EXISTS (FROM new_entry)
