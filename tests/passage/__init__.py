"""Tests of Passage."""
