-- Of these claims no reading is logged: only what they state.
DELETE FROM new_entry
