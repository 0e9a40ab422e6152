"""The rules on the command line: `python -m game`. No server, no database."""
