"""Whatever is refused is said in words: no key reaches a person."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module

import pytest

from game import messages as shared
from game import registry
from game.errors import BadNotation
from game.sentences import sentence as game_sentence
from game.sentences import sentences
from server.accounts.errors import AccountError
from server.admin.command import Console, run
from server.errors import RateLimited, Refused
from server.i18n import catalogues
from server.i18n.refusals import sentence
from server.ssh.bot.refusals import refusal_json
from tests.server.refusals import raised
from tests.texts import en

KEY = re.compile(r"\b[a-z0-9]+(?:\.[a-z0-9_-]+)+\b")  # also of a name with dots, which no sentence has


@cache
def every_key() -> dict[str, str]:
    """Return every key that is raised anywhere, in games too, or stands in a game's table of errors."""
    keys = dict(raised("game", "server"))
    tables = [shared.ERRORS]
    tables += [import_module(f"game.{key}.messages").ERRORS for key in registry.KEYS]
    return keys | {key: "a table" for table in tables for key in table}


def test_the_walk_finds_refusals_of_every_kind() -> None:
    """A walk that finds nothing proves nothing."""
    keys = every_key()
    assert len(keys) > 150
    for known in (
        "moderation.self",
        "match.players",
        "match.unknown-seat",
        "room.error.unknown",
        "lobby.error.guests-not-daily",  # which a function returns, and another raises
        "store.not-saved",
        "limit.reached",
        "rainet.error.not-your-turn",
        "match.error.too-late",
        "match.error.stale",
        "action.not-offered",
    ):
        assert known in keys


@pytest.mark.parametrize("language", catalogues.CHOICES)
def test_every_refusal_has_its_words(language: str) -> None:
    """`match.players 5` was what a program's keeper read, and `(moderation.self)` what a moderator did."""
    look = catalogues.catalogue(language)
    for key, where in sorted(every_key().items()):
        assert look.has(key), f"{key} ({where}) has no words in {language}"
        said = sentence(Refused(key), look)
        assert said != look.t("refused.somehow")
        assert not KEY.search(said.replace("ssh-keygen", "")), f"{key}: {said}"


def test_what_a_refusal_is_about_stands_behind_a_colon() -> None:
    """`There is no such seat. both`"""
    seat = BadNotation("match.unknown-seat", "both")
    assert sentence(seat, catalogues.catalogue("en")) == f"{en('match.unknown-seat').rstrip('.')}: both"
    assert sentence(seat, catalogues.catalogue("zh_CN")).endswith("：both")
    assert refusal_json(seat)["why"] == sentence(seat, catalogues.catalogue("en"))
    assert KEY.search(refusal_json(BadNotation("match.players", "5"))["why"]) is None


def test_a_refusal_nobody_has_words_for_shows_no_key() -> None:
    assert sentence(Refused("made.up"), catalogues.catalogue("en")) == en("refused.somehow")
    assert (
        sentence(BadNotation("made.up", "x"), catalogues.catalogue("en")) == f"{en('refused.somehow').rstrip('.')}: x"
    )


async def test_admin_commands_say_sentences_only() -> None:
    class Refusing:
        @property
        def moderation(self) -> Refusing:
            return self

        async def ban(self, *_: object, **__: object) -> None:
            raise AccountError("moderation.self")

        async def drain(self, *, on: bool) -> None:
            raise RateLimited("acts", 1000) if on else Refused("match.over")

    said: list[str] = []

    async def nothing() -> str:
        return ""

    console = Console(said.append, said.append, nothing)
    assert await run(["ban", "omid", "--why", "x"], Refusing(), console) == 1  # type: ignore[arg-type]
    assert await run(["undrain"], Refusing(), console) == 1  # type: ignore[arg-type]
    assert len(said) == 2
    assert not any(KEY.search(line) for line in said), said


def test_the_rules_command_line_says_the_same_sentences() -> None:
    """`can't be read: usage.missing: --as` was what people read; programs have the key in JSON."""
    said, english = sentences(), catalogues.catalogue("en")
    keys = raised("game")
    for key, where in sorted(keys.items()):
        assert key in said, f"{key} ({where})"
    for key, text in said.items():
        assert text.replace("’", "'") == english.t(key).replace("’", "'"), "the screens say it in the same words"
        assert not KEY.search(text), text
    somehow = en("refused.somehow").rstrip(".").replace("’", "'")
    assert game_sentence(BadNotation("made.up", "x")) == f"{somehow}: x"
