"""Hints between processes that something changed. A lost or doubled hint does no harm: readers also poll."""
