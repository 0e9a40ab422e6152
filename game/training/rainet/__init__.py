"""What of RaiNet's bots is learnt, and how."""
