"""What screens know of RaiNet."""
