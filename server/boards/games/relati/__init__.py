"""What screens know of Relati."""
