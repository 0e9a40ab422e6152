"""Looking up cards: from lobby, rules, decks and a match's log; by words, side, type and set; which decks hold them."""

from __future__ import annotations

import pytest

from game.contract import Event
from server.accounts.decks import StoredDeck
from server.accounts.preferences import Preferences
from server.boards.library import library, mentioned
from server.matches.model import SeenEvent
from server.screens.cards import CardsPage
from server.session import places
from server.terminal.look import Look
from tests.boards import golden
from tests.boards.positions import NOON, person
from tests.session.fakeserver import FakeServer, Seated, account
from tests.session.stage import StagedMatch

KATE = 'Kate "Mac" McCaffrey: Digital Tinker'
CARDS = library("netrunner")


async def in_lobby(server: FakeServer, cols: int = 80, rows: int = 24, language: str = "en") -> Seated:
    server.prefer("mira", Preferences(calibrated=True, language=language))
    return await server.connect(account("mira"), cols, rows)


def page(seated: Seated) -> CardsPage:
    top = seated.session.pages.top
    assert isinstance(top, CardsPage)
    return top


def titles(seated: Seated) -> list[str]:
    return [card.title for card in page(seated).listed()]


@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (60, 20), (40, 20), (120, 40)])
async def test_the_cards_at_every_size(server: FakeServer, cols: int, rows: int, language: str) -> None:
    mira = await in_lobby(server, cols, rows, language)
    await mira.type("v", "/", *"snare", "enter")
    assert titles(mira)[0] == "Snare!"
    if cols <= 60:
        golden.check(f"cards-list-{cols}-{language}", mira.text)
        await mira.type("enter")
    golden.check(f"cards-{cols}-{language}", mira.text)
    assert Look(language=language).t("cards.in-none") in mira.text


async def test_what_is_said_below_a_card_moved_with_the_length_of_its_text(server: FakeServer) -> None:
    mira = await in_lobby(server)
    await mira.type("v")
    said, at = Look().t("cards.in-none"), set[int]()
    for _ in range(10):
        at.update(y for y, row in enumerate(mira.rows) if said in row)
        await mira.type("down")
    assert len(at) == 1


async def test_a_search_takes_no_notice_of_accents_and_finds_words_of_the_text(server: FakeServer) -> None:
    mira = await in_lobby(server)
    await mira.type("v", "/", *"deja", "enter")
    assert titles(mira) == ["Déjà Vu"]
    await mira.type("/", "ctrl u", *"meat damage", "enter")
    assert "Scorched Earth" in titles(mira)
    assert "Diesel" not in titles(mira)
    await mira.type("esc")
    assert CARDS is not None
    assert titles(mira) == list(CARDS.cards)
    await mira.type("esc")
    assert not isinstance(mira.session.pages.top, CardsPage)


async def test_side_type_and_set_narrow_the_list(server: FakeServer) -> None:
    mira = await in_lobby(server)
    await mira.type("v", "s", "s", "y", "t")
    shown = page(mira).listed()
    assert {(card.seat, card.type, card.set) for card in shown} == {(1, "identity", "core")}
    assert len(shown) == 3


async def test_a_card_says_which_of_my_decks_hold_it(server: FakeServer) -> None:
    deck = StoredDeck(0, "netrunner", 1, "Slow", f"{KATE}\n3 Diesel", NOON)
    mira = await in_lobby(server)
    await server.decks.save(1, deck)
    await mira.session.decks.load(again=True)
    await mira.type("v", "/", *"diesel", "enter")
    assert Look().t("cards.in-decks", decks=Look().t("cards.held", deck="Slow", n=3)) in mira.text
    await mira.type("esc", "w")
    assert titles(mira) == [KATE, "Diesel"]


async def test_a_match_offers_the_cards_that_its_log_names(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn")), "m1"))
    match.seen.append((0, Event("installed", {"side": 1, "card": "Corroder", "place": "rig"})))
    match.seen.append((0, Event("broke", {"ice": "Ice Wall", "with": "Corroder", "broken": [0]})))
    mira = await in_lobby(server)
    await mira.session.reach(places.MatchPlace("m1"))
    await mira.type("V")
    assert set(titles(mira)) == {"Ice Wall", "Corroder"}
    await mira.type("w")
    assert len(titles(mira)) > 100


def test_the_newest_card_comes_first() -> None:
    events = [
        SeenEvent(1, "played", {"card": "Hedge Fund", "side": 0}),
        SeenEvent(2, "damage", {"cards": ["Diesel", "Snare!"], "source": "Snare!"}),
        SeenEvent(3, "paid", {"side": 1, "from": {"pool": 1}, "card": None}),
    ]
    assert mentioned("netrunner", events) == ("Diesel", "Snare!", "Hedge Fund")
    assert mentioned("rainet", events) == ()


async def test_help_leads_to_the_cards_of_the_game(server: FakeServer) -> None:
    server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn")), "m1"))
    mira = await in_lobby(server)
    await mira.session.reach(places.MatchPlace("m1"))
    await mira.type("?", "v")
    assert page(mira).game == "netrunner"


async def test_the_type_of_the_chosen_card_was_cut_beside_its_text(server: FakeServer) -> None:
    mira = await in_lobby(server)
    await mira.type("v")
    chosen = next(row for row in mira.rows if mira.session.look.glyphs.pointer in row)
    assert "identity " in chosen.split(mira.session.look.glyphs.bar)[0]


@pytest.mark.parametrize(("cols", "rows"), [(60, 20), (80, 24), (120, 40)])
async def test_a_long_list_of_cards_had_no_mark_of_how_far_down_one_is(
    server: FakeServer, cols: int, rows: int
) -> None:
    """Beside the text of the chosen card it was cut off."""
    mira = await in_lobby(server, cols, rows)
    await mira.type("v")
    glyphs = mira.session.look.glyphs
    first = next(i for i, row in enumerate(mira.rows) if glyphs.bar in row)
    await mira.type("end")
    last = max(i for i, row in enumerate(mira.rows) if glyphs.bar in row)
    assert first < last
