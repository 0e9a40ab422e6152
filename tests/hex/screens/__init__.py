"""What screens know of Hex."""
