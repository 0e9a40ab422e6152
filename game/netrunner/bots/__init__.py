"""The built-in players of Netrunner: greedy, planning, searching."""
