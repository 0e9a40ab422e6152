"""Hostile clients against a real server: each attack alone, an innocent player beside it, and what it leaves behind."""
