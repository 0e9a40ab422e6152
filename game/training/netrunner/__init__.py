"""What of Netrunner's bots is learnt, and how."""
