"""Tests of notices to people who are away."""
