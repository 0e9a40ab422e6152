"""What the games' bots share."""
