"""Tests of the lobby: seeks, rooms, presence."""
