"""The server: everything with side effects, in layers; each imports only those above it (docs/architecture.md)."""
