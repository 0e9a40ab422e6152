"""The fixtures of tests of sessions, for those of screens."""

from tests.session.conftest import drawing_costs_nothing, one_game, server

__all__ = ["drawing_costs_nothing", "one_game", "server"]
