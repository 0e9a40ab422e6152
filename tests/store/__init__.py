"""Tests of the store, on real SQLite files and a real PostgreSQL."""
