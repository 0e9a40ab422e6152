"""The host keys: their files, and which of them are in force."""
