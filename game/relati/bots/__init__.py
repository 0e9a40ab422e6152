"""Relati's built-in players."""
