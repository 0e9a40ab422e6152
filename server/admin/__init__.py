"""Admin acts, the same for `patchbay …` beside the database and for `ssh HOST admin …`."""
