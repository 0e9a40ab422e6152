"""Tests of the lowest layer: settings, time, words, logs."""
