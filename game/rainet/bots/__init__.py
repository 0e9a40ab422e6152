"""RaiNet's built-in players."""
