"""Tests that break things: kills, full disks, locks."""
