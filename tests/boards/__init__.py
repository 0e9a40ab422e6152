"""Tests of what draws games and says words of them."""
