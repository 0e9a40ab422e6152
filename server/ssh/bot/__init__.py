"""The bot protocol: JSON lines over `ssh HOST bot` (docs/protocol.md)."""
