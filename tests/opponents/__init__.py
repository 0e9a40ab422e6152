"""Opponents written against the built-in players: each follows one trick or one method, to show who falls for it."""
