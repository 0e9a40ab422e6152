"""What of Passage's bots is learnt, and how."""
