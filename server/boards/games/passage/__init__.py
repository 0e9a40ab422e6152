"""What screens know of Passage."""
