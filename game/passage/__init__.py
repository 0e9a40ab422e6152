"""Passage (现世通行): two to five players draw from one pile, and the last one standing wins."""
