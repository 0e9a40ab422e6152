"""Netrunner's questions: a card's decision says what the effect does, in the words of its entry."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest

from game import registry
from game.contract import Json, Seat
from game.netrunner import vocabulary as v
from game.netrunner.cards import ENTRIES
from game.netrunner.facts import CODES, HIDDEN
from game.netrunner.text import effect_text, spoken
from server.boards.board import board
from server.boards.games.netrunner import selection
from server.boards.games.netrunner.cardtext import may_words
from server.boards.games.netrunner.prompts import looked_at
from server.boards.games.netrunner.rowtext import row_words
from server.i18n.catalogues import LANGUAGES, catalogue
from server.terminal.lines import text_of
from server.terminal.look import Look
from tests.boards.positions import snapshot
from tests.netrunner.cards.scenes import accessing, facing, meeting, runner, scoring
from tests.netrunner.table import Play
from tests.texts import en

RULES, BOARD, LOOK = registry.get("netrunner"), board("netrunner"), Look()
ASKING = (v.May, v.Either, v.Choose)


def shown(play: Play, look: Look) -> tuple[str, str]:
    """Return the line of status and the screen of whoever is asked."""
    shot = snapshot("netrunner", play.state, Seat(play.asked[0]))
    chosen = BOARD.start(shot, b"")
    drawn = BOARD.render(shot, chosen, look, 100, 23)
    return text_of(BOARD.status(shot, chosen, look)).strip(), "\n".join(map(text_of, drawn))


def test_a_question_says_what_the_card_would_do() -> None:
    status, screen = shown(accessing("Snare!", grip=["Diesel"] * 4), Look())
    assert status == "Snare!: you may pay 4 credits to give the Runner 1 tag and do 3 net damage."
    assert en("netrunner.card.reveal-in.rd") in screen
    status, _ = shown(facing("Rototurret", "Mimic").do("pass", "pass"), Look())
    assert status == "Rototurret: trash 1 installed program."
    status, _ = shown(meeting("Data Raven"), Look())
    assert status == "Data Raven: the Runner chooses: give the Runner 1 tag, or end the run."
    status, _ = shown(runner("Déjà Vu", heap=["Medium"]).do('play "Déjà Vu"', "choose viruses"), Look(language="zh_CN"))
    assert status == "Déjà Vu：将弃牌堆中的至多 2 张病毒加入手牌（1/2）。"


def test_whether_to_use_what_a_card_does_was_asked_without_saying_what_that_is() -> None:
    """Where it takes more than a line: at 80x24 the card had no room below either."""
    play = accessing({"card": "Aggressive Secretary", "advancement": 1}, rig=["Mimic"])
    status, screen = shown(play, Look())
    assert status.startswith("Aggressive Secretary: you may pay 2 credits to trash 1 installed program for each")
    each = en("netrunner.card.each.advancement-counters", text="trash 1 installed program").removesuffix(
        " on this card"
    )
    assert each in " ".join(screen.split())


BETA, TOP = "Accelerated Beta Test", ["Viktor 1.0", "Priority Requisition", "Heimdall 1.0", "Enigma"]


def test_cards_that_one_looks_at_and_may_not_choose_were_nowhere_on_the_screen() -> None:
    play = scoring(BETA, 3, rd=TOP)
    status, _ = shown(play, Look())
    assert "look at the top 3 cards of R&D" in status
    play.do("yes")
    status, _ = shown(play, Look())
    assert status == en("netrunner.seen.beta-test", cards="Viktor 1.0, Priority Requisition, Heimdall 1.0")
    play.do('choose "Viktor 1.0"', 'install "Viktor 1.0" hq')
    status, _ = shown(play, Look())
    assert status == en("netrunner.seen.beta-test", cards="Priority Requisition, Heimdall 1.0")
    status, _ = shown(scoring(BETA, 3, rd=["Hedge Fund", "Snare!"]).do("yes"), Look())
    assert status == en("netrunner.seen.beta-test.none", cards="Hedge Fund, Snare!")


def test_the_card_that_may_go_to_the_bottom_was_named_in_the_log_alone() -> None:
    scene = snapshot("netrunner", runner(stack=["Diesel", "Sure Gamble"]).state, Seat(1))
    pending = scene.pending
    assert pending is not None
    known = replace(scene.view, scene=replace(scene.view.scene, stack=(CODES["Diesel"], HIDDEN)))
    asked = replace(scene, view=known, pending=replace(pending, prompt="bottom", params=()))
    assert looked_at(asked, LOOK) == "Diesel"


def test_the_key_that_leaves_a_card_said_go_on_and_its_row_leave_it() -> None:
    play = accessing("PAD Campaign")
    shot = snapshot("netrunner", play.state, Seat(play.asked[0]))
    assert "leave" in play.offered()
    hints = BOARD.keys(shot, BOARD.start(shot, b""))
    labels = [hint.label for hint in hints]
    assert "netrunner.row.leave" in labels
    assert "keys.netrunner.pass" not in labels


def answers(play: Play, look: Look = LOOK) -> list[str]:
    """Return what the rows of whoever is asked say."""
    shot = snapshot("netrunner", play.state, Seat(play.asked[0]))
    chosen = BOARD.start(shot, b"")
    return [row_words(row, shot, chosen, look) for row in selection.rows(shot, chosen)]


def test_yes_and_no_did_not_say_what_they_bring() -> None:
    servers: Json = {"remote1": {"root": ["PAD Campaign"]}}
    asked = facing("Otoroshi", servers=servers).do("choose root:remote1:0", "spend 3")
    card = LOOK.t("netrunner.located", card=LOOK.t("netrunner.hidden-card"), place="Remote 1")
    assert answers(asked) == ["Pay 3 credits", f"Access {card}"]
    asked = accessing("Snare!", grip=["Diesel"] * 4)
    assert answers(asked) == ["Pay 4 credits: give the Runner 1 tag and do 3 net damage", LOOK.t("netrunner.row.no")]


def test_the_rows_of_a_yes_or_no_that_take_too_long_are_short() -> None:
    asked = accessing({"card": "Neurostasis", "advancement": 1}, rig=["Mimic"])
    assert answers(asked) == [LOOK.t("netrunner.row.yes"), LOOK.t("netrunner.row.no")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_yes_and_no_of_a_card_can_be_said(language: str) -> None:
    look = Look(language=language)
    asked = [(code, place) for code, entry in ENTRIES.items() for place in places(entry)]
    said = [text for code, place in asked for n in (0, 2) for text in may_words(code, place, n, "Ice Wall", look)]
    assert len([text for text in said if text]) > 40
    assert [text for text in said if "netrunner.card" in text or "{" in text] == []


def places(part: Any, place: str = "") -> Iterator[str]:
    """Yield the places of all effects in an entry that ask somebody."""
    if isinstance(part, ASKING):
        yield place
    named = [(field.name, getattr(part, field.name)) for field in fields(part)] if is_dataclass(part) else []
    if isinstance(part, v.Either):
        named = [("do_first", part.do_first), ("do_second", part.do_second)]
    if isinstance(part, tuple):
        named = [(str(i), one) for i, one in enumerate(part)]
    for name, one in named:
        yield from places(one, f"{place}.{name}".lstrip("."))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_effect_that_asks_somebody_can_be_said_by_itself(language: str) -> None:
    asked = [(code, place) for code, entry in ENTRIES.items() for place in places(entry)]
    assert len(asked) > 35
    said = {(code, place): spoken(effect_text(code, place), catalogue(language).t) for code, place in asked}
    assert {where: text for where, text in said.items() if "netrunner.card" in text or "{" in text} == {}
