"""Refusals as sentences in a person's language: the same on screens, for commands and programs."""

from __future__ import annotations

from game.errors import GameError
from game.printable import printable
from server.accounts.conduct import Refusal
from server.clock import moment_words, parse_rfc3339
from server.errors import RateLimited, Refused
from server.i18n.catalogues import Catalogue, Texts
from server.i18n.durations import clock_words
from server.log import get_logger

log = get_logger("refused")
SECOND_MS = 1000
STOPS = {".": ":", "。": "："}  # full stops, and the colon that replaces one before a detail


def sentence(error: Refused | GameError, catalogue: Catalogue) -> str:
    """Return a refusal as a sentence, with its detail after a colon. The message key is never shown."""
    known = wording(error, catalogue)
    if known == "refused.somehow":
        log.warning("refusal without words", key=error.key)
    if isinstance(error, GameError):
        return with_detail(catalogue.t(known), error.detail)
    return catalogue.t(known, **reasons(error, catalogue))


def wording(error: Refused | GameError, texts: Texts) -> str:
    """Return the message key of a refusal's words: of a limit that counts whole addresses, words that say so."""
    if isinstance(error, RateLimited) and texts.has(key := f"limit.{error.limit}"):
        return key
    return error.key if texts.has(error.key) else "refused.somehow"


def reasons(refusal: Exception, texts: Texts) -> dict[str, object]:
    """Return a refusal's parameters as its sentence wants them: `time`, a wait in words; a moment to the minute.

    A wait is rounded up to whole seconds: who waits as long as it says is not refused again.
    """
    params: dict[str, object] = dict(refusal.params) if isinstance(refusal, Refused) else {}
    if isinstance(wait := params.get("retry_after_ms"), int):
        params["time"] = clock_words(-(-wait // SECOND_MS) * SECOND_MS, texts)
    if isinstance(until := params.get("until"), str):
        params["until"] = moment_words(parse_rfc3339(until))
    return params


def barred(ban: Refusal, key: str, texts: Texts) -> str:
    """Say that somebody may not come in, or has to leave (`key`): until when, why, and whom to write to."""
    until = texts.t("barred.until", until=moment_words(ban.until)) if ban.until is not None else ""
    ask = texts.t("barred.ask", contact=ban.contact) if ban.contact else ""
    return texts.t(key, until=until, why=ban.why, ask=ask)


def with_detail(said: str, detail: str) -> str:
    """Return a sentence with its detail, which may quote anything and comes out printable.

    >>> with_detail("There is no such seat.", "both")
    'There is no such seat: both'
    """
    if not detail:
        return said
    stop, detail = STOPS.get(said[-1:]), printable(detail)
    return f"{said}: {detail}" if stop is None else f"{said[:-1]}{stop}{'' if stop == '：' else ' '}{detail}"
