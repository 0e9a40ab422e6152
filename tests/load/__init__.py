"""`make load`: many real SSH clients at once on the real server, under its ordinary limits (docs/measuring.md)."""
