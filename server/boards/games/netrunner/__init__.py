"""What screens know of Netrunner."""
