"""Tests of how a terminal is drawn on and read."""
