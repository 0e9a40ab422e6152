"""The games for other libraries: the only part of `game` that needs more than the standard library."""
