"""What of Relati's bots is learnt, and how."""
