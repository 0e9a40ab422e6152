"""What a refused order is answered with: a short code for programs, a sentence for people."""

from __future__ import annotations

from typing import Any

from game.errors import GameError
from server.errors import RateLimited, Refused
from server.matches import errors as matches
from server.ssh.wire import Object, message
from server.tui import i18n
from server.tui.look import Look
from server.tui.seats import reasons

CODES: tuple[tuple[type[Refused], str], ...] = (
    (matches.NotYourTurn, "stale"),
    (matches.Stale, "stale"),
    (matches.NoSuchMatch, "not_found"),
    (matches.MatchOver, "over"),
    (matches.MatchPaused, "paused"),
    (matches.Draining, "draining"),
)
NOT_FOUND_WORDS = ("unknown", "gone")


class NotFound(Exception):
    """There is no such thing, or it is not the caller's."""


class NotNow(Exception):
    """It can't be done just now, or not by this caller."""


def error_json(code: str, why: str, re: Any = None, **more: Any) -> Object:
    """Return an error message; `re` only where the order had an id."""
    return message("error", **({} if re is None else {"re": re}), error=code, why=why, **more)


def refusal_json(error: Exception, re: Any = None) -> Object:
    """Return the answer to an order that raised an expected error. Raises TypeError for any other error."""
    words = i18n.words(i18n.FALLBACK)
    match error:
        case NotFound():
            return error_json("not_found", str(error), re)
        case NotNow():
            return error_json("not_allowed", str(error), re)
        case RateLimited():
            why = words.t(error.key, **reasons(error, Look()))
            return error_json("rate_limited", why, re, limit=error.limit, retry_after_ms=error.retry_after_ms)
        case GameError():
            why = f"{words.t(error.key)} {error.detail}".strip()
            return error_json("illegal", why, re)
        case Refused():
            code = next((code for kind, code in CODES if isinstance(error, kind)), None)
            more = {name: error.params[name] for name in ("retry_after_ms",) if name in error.params}
            why = words.t(error.key, **reasons(error, Look()))
            return error_json(code or _code_of(error.key), why, re, **more)
    raise TypeError(error)


def _code_of(key: str) -> str:
    if key.rpartition(".")[2].startswith(NOT_FOUND_WORDS):
        return "not_found"
    return "not_saved" if key.startswith("store.") else "refused"
