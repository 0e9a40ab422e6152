"""What screens, lists and programs say of games and matches: boards, keys, words. Pure functions; no session."""
