"""Tests of the bus, on the real services."""
