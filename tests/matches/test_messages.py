"""Every message key that matches and the lobby use is in their tables, and has its sentences."""

from __future__ import annotations

import re
from pathlib import Path

from server.i18n.catalogues import files
from server.lobby.errors import ERRORS as LOBBY
from server.matches.errors import ERRORS as MATCHES
from server.matches.server_events import SERVER_EVENTS

SERVER = Path(__file__).parents[2] / "server"
KEY = re.compile(r'"((?:match|lobby|room)\.error\.[a-z-]+)"')


def raised(layer: str) -> set[str]:
    files = [*(SERVER / layer).glob("*.py"), *(SERVER / "store").glob("*.py")]
    return {
        key for file in files if file.name != "errors.py" or layer == "lobby" for key in KEY.findall(file.read_text())
    }


def catalogue(language: str) -> set[str]:
    return {key for file in files(language) for key in re.findall(r'^msgid "(.+)"$', file.read_text(), re.MULTILINE)}


def test_every_error_is_in_its_table() -> None:
    known = MATCHES.keys() | LOBBY.keys() | {"match.error.rematch-taken"}  # which nobody ever sees
    assert raised("matches") | raised("lobby") <= known


def test_every_error_and_happening_has_its_sentences() -> None:
    wanted = {*MATCHES, *LOBBY, *(kind.replace("match.", "match.event.") for kind in SERVER_EVENTS)}
    for language in ("en", "zh_CN"):
        assert wanted - catalogue(language) == set()
