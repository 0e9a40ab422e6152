"""Tests of Netrunner: rules by step, cards by title."""
