"""Tests of one match: log, clocks, seats, offers, bots."""
