"""Tests of accounts and conduct."""
