"""Caches by identity: what was made once is not made again."""

from __future__ import annotations

from functools import partial

from server.terminal.memo import OneValueCache


def test_a_banner_that_says_nothing_was_composed_again_at_every_key() -> None:
    """None is a value, too: it counted as not made."""
    made: list[str] = []
    cache, shot = OneValueCache[str | None](), object()
    for key in ("a", "a", "b", "b"):
        assert cache.get(shot, key, partial(made.append, key)) is None
    assert made == ["a", "b"]
    cache.get(object(), "b", lambda: made.append("other"))
    assert made == ["a", "b", "other"]
