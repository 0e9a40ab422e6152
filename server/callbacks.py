"""Calling back whoever asked to hear of something."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec

from server.log import get_logger

P = ParamSpec("P")
log = get_logger("callbacks")


def call_back(listener: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> bool:
    """Call a listener and return whether it raised nothing: what it raises is logged, and the others still hear."""
    try:
        listener(*args, **kwargs)
    except Exception:  # the guard of a callback
        log.exception("callback.failed")
        return False
    return True
