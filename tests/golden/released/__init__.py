"""Matches of every released version of each game's rules, as records that must fold to the same states for ever.

`GAME/VERSION/NAME.jsonl` is a record (docs/records.md). Each entry also holds two digests: `stands`, of the state and
what is owed after it, and `told`, of its events. `stands` is never written anew.
"""
