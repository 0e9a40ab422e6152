"""Passage's built-in players."""
