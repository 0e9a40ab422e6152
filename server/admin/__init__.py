"""What an admin may do, the same from `patchbay …` beside the database and from `ssh HOST admin …`."""
