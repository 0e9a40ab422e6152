"""Tests of what admins do."""
