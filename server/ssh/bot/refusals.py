"""Answers to refused instructions: a code for programs, a sentence for people."""

from __future__ import annotations

from typing import Any

from game.errors import GameError
from server.accounts.machines import NotMarked
from server.boards.wire import Object, message
from server.errors import RateLimited, Refused
from server.i18n import refusals
from server.i18n.catalogues import FALLBACK, catalogue
from server.lobby.errors import NoSuchPerson
from server.matches import errors as matches

CODES: tuple[tuple[type[Refused], str], ...] = (
    (NoSuchPerson, "not_found"),
    (NotMarked, "not_marked"),
    (matches.NotYourTurn, "stale"),
    (matches.Stale, "stale"),
    (matches.NoSuchMatch, "not_found"),
    (matches.MatchOver, "over"),
    (matches.MatchPaused, "paused"),
    (matches.Draining, "draining"),
    (matches.NoCondition, "illegal"),
)
NOT_FOUND_WORDS = ("unknown", "gone")


class NoSuchTarget(Exception):
    """What an instruction names does not exist, or is not the caller's."""


class NotNow(Exception):
    """The instruction can't be done now, or not by this caller."""


def error_json(code: str, why: str, re: Any = None, **more: Any) -> Object:
    """Return an error message; `re` only where the instruction had an id."""
    return message("error", **({} if re is None else {"re": re}), error=code, why=why, **more)


def refusal_json(error: Exception, re: Any = None) -> Object:
    """Return the answer to an instruction that raised an expected error. Raises TypeError for any other error."""
    match error:
        case NoSuchTarget():
            return error_json("not_found", str(error), re)
        case NotNow():
            return error_json("not_allowed", str(error), re)
        case RateLimited():
            return error_json(
                "rate_limited", sentence(error), re, limit=error.limit, retry_after_ms=error.retry_after_ms
            )
        case GameError():
            return error_json("illegal", sentence(error), re)
        case Refused():
            code = next((code for kind, code in CODES if isinstance(error, kind)), None)
            more = {name: error.params[name] for name in ("retry_after_ms",) if name in error.params}
            return error_json(code or _code_of(error.key), sentence(error), re, **more)
    raise TypeError(error)


def sentence(error: Refused | GameError) -> str:
    """Return a refusal in English, for programs and their logs."""
    return refusals.sentence(error, catalogue(FALLBACK))


def _code_of(key: str) -> str:
    if key.rpartition(".")[2].startswith(NOT_FOUND_WORDS):
        return "not_found"
    return "not_saved" if key.startswith("store.") else "refused"
