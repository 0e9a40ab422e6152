"""Who hears what they did themselves is "you" in it, in each language."""

from __future__ import annotations

import re

import pytest

from game import registry
from game.contract import Seat, Watcher
from server.boards import eventlog
from server.boards.board import board
from server.boards.secondperson import MARK, in_second_person
from server.i18n.catalogues import LANGUAGES
from server.terminal.look import Look
from tests.boards.positions import person
from tests.session.stage import StagedMatch
from tests.texts import read_catalogue

DOING = re.compile(r"\{name\} ([a-z][\w’']*)")
SAME = frozenset(("can’t", "ran", "to", "went"))  # in both forms


def told(language: str, viewer: Seat | Watcher, is_heard: bool = True) -> str:
    match = StagedMatch("relati", (person("mira"), person("tarn")), "m1")
    match.play(0, "Lh8")
    match.play(1, "La1")
    look = Look(language=language).heard() if is_heard else Look(language=language)
    shot = match.snapshot(viewer)
    return " ".join(one.text for one in eventlog.told(board("relati"), shot, match.events(viewer), look))


@pytest.mark.parametrize(
    ("language", "you"), [("en", "you put the source on h8"), ("zh_CN", "你定位"), ("zh_TW", "你定位")]
)
def test_a_player_was_told_of_themselves_by_their_handle(language: str, you: str) -> None:
    said = told(language, Seat(0))
    assert you in said
    assert "mira" not in said
    assert "tarn" in said
    assert "mira" in told(language, Watcher.PUBLIC)
    assert "mira" in told(language, Seat(0), is_heard=False), "on screens the log has names"


def test_every_verb_of_what_happens_has_its_form_for_you() -> None:
    texts = [str(one.string) for one in read_catalogue("en") if ".event." in str(one.id)]
    verbs = {verb for text in texts for verb in DOING.findall(text)} - SAME
    assert len(verbs) > 40
    assert not [verb for verb in verbs if in_second_person(f"{MARK} {verb} x", Look()) == f"you {verb} x"]


@pytest.mark.parametrize("game", registry.KEYS)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_resignation_was_told_by_the_handle(game: str, language: str) -> None:
    match = StagedMatch(game, (person("mira"), person("tarn")), "m1")
    await match.resign(Seat(0))
    look = Look(language=language).heard()
    told = [one.text for one in eventlog.told(board(game), match.snapshot(Seat(0)), match.events(Seat(0)), look)]
    assert any(look.t("told.you") in text for text in told)
    assert not any("mira" in text or MARK in text for text in told)
