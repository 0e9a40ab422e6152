"""What a key line shows can be typed where nothing is drawn, unless it only moves what is drawn."""

from __future__ import annotations

import pytest

from server.boards import keymap
from server.session.linewords import SILENT
from server.session.page import Page
from tests.screens.test_told import WAYS
from tests.session.fakeserver import FakeServer

TWO = ("rainet", "netrunner")  # Netrunner has decks and cards
BOARDS = ("rainet.", "relati.", "passage.", "netrunner.")
BY_EYE = {
    *SILENT,
    "keys.exhibition.log",
    "keys.help.scroll",
    "keys.help.section",  # a number says a section
    "keys.match.log",
    "keys.match.move",
    "keys.match.panel",
    "keys.match.turn-round",
    "keys.match.type",  # whatever is no other word is an action
    "keys.line.type",
    "keys.tutorial.type",
    "keys.match.board",
    "keys.replay.turn-round",
    "keys.replay.decision",
    "keys.replay.cards",  # what and a name
    "keys.replay.jump",  # a number alone
    "keys.report.log",
}


@pytest.fixture(autouse=True)
def two_games(monkeypatch: pytest.MonkeyPatch, one_game: None) -> None:
    """Let the screens offer two games."""
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: game in TWO)


def missing(page: Page) -> set[str]:
    """Return the keys on show that have no word here."""
    words = {hint.label for hint in page.speech().hints()} - SILENT
    shown = {hint.label for hint in page.hints()}
    return {one for one in shown - words - BY_EYE if not one.removeprefix("keys.").startswith(BOARDS)}


@pytest.mark.parametrize("kind", WAYS, ids=lambda kind: kind.__name__)
async def test_a_key_on_show_had_no_word(server: FakeServer, kind: type[Page]) -> None:
    seated = await WAYS[kind](server, "en")
    page = seated.session.pages.top
    assert page is not None
    assert missing(page) == set()


def test_what_has_no_word_is_a_key() -> None:
    labels = {one.label for one in keymap.BINDINGS}
    assert BY_EYE - labels == set()
