"""SSH: listener, authentication, limits, terminal, exec commands and the bot protocol."""
