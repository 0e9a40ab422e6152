"""Tests of one person's session."""
