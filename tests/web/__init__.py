"""Tests of the pages and sockets for browsers."""
