"""Decks: the starters, lists as text or JSON, and every reason for which one is not legal (Netrunner §1.2)."""

from __future__ import annotations

from typing import Any

import pytest

from game.errors import BadNotation
from game.netrunner.decks import FACTIONS, READY, STARTERS, Deck, problems, read, reading_deck
from game.netrunner.facts import CODES, FACTS, title
from game.netrunner.rules import GAME
from game.options import finished
from game.sentences import sentence as in_english
from server.i18n.catalogues import CHOICES, catalogue
from server.i18n.refusals import sentence

CORP, RUNNER = 0, 1


def deck(base: str, **changes: int) -> Deck:
    """Return a starter deck with some numbers of cards changed; underscores stand for spaces."""
    cards = dict(STARTERS[base].cards)
    cards |= {CODES[name.replace("_", " ")]: n for name, n in changes.items()}
    return Deck(STARTERS[base].identity, tuple((code, n) for code, n in sorted(cards.items()) if n))


def listed(given: Deck) -> str:
    return "\n".join([title(given.identity), *(f"{n}x {title(code)}" for code, n in given.cards)])


@pytest.mark.parametrize(
    ("given", "side", "wrong"),
    [
        (deck("shaper", Diesel=0), RUNNER, ["size 44/45"]),
        (deck("shaper", Diesel=4), RUNNER, ["copies Diesel 4"]),
        (deck("shaper", Account_Siphon=3, Corroder=2), RUNNER, ["influence 16/15"]),
        (deck("shaper", Hedge_Fund=1), RUNNER, ["side Hedge Fund"]),
        (deck("jinteki", Posted_Bounty=1, Nisei_MK_II=1), CORP, ["agenda Posted Bounty", "points 18/20-21"]),
        (deck("jinteki", Nisei_MK_II=1), CORP, ["points 17/20-21"]),
        (STARTERS["jinteki"], RUNNER, ["identity Jinteki: Personal Evolution"]),
    ],
    ids=lambda value: ";".join(value) if isinstance(value, list) else "",
)
def test_a_deck_that_is_not_legal_is_refused_with_every_reason(given: Deck, side: int, wrong: list[str]) -> None:
    assert problems(given, side) == wrong
    with pytest.raises(BadNotation) as refused:
        read(listed(given), side)
    assert all(reason in str(refused.value) for reason in wrong)


def test_a_short_deck_is_told_the_points_of_the_size_it_must_have() -> None:
    """The editor's head line said 20-21 while the error said 4-5."""
    short = Deck(STARTERS["jinteki"].identity, STARTERS["jinteki"].cards[:1])
    assert [found.partition("/")[2] for found in problems(short, CORP) if found.startswith("points")] == ["20-21"]


def test_a_card_of_another_faction_costs_its_influence() -> None:
    assert problems(deck("shaper", Account_Siphon=3, Mimic=3), RUNNER) == []
    assert sum(FACTS[CODES[name]].influence * 3 for name in ("Account Siphon", "Mimic")) == 15


def test_a_list_is_read_as_text_and_as_an_object() -> None:
    own = deck("shaper", Account_Siphon=2)
    assert read(listed(own), RUNNER) == own
    named: dict[str, Any] = {title(code): n for code, n in own.cards}
    assert read({"identity": title(own.identity), "cards": named}, RUNNER) == own


@pytest.mark.parametrize(
    "said",
    [
        "nonsense",
        "3 No Such Card",
        "3 Sure Gamble",  # no identity
        {"cards": {}},
        {"identity": "Kate", "cards": []},
        {"identity": 'Kate "Mac" McCaffrey: Digital Tinker', "cards": {"Diesel": "3"}},
        {"identity": 'Kate "Mac" McCaffrey: Digital Tinker', "cards": {"Diesel": 0}},
        7,
    ],
    ids=str,
)
def test_what_is_no_deck_can_not_be_read(said: Any) -> None:
    with pytest.raises(BadNotation):
        GAME.setup({}, 2, bytes(32), ({}, {"deck": said}))


def test_an_own_deck_is_what_is_played_with_and_what_its_owner_knows() -> None:
    own = deck("shaper", Account_Siphon=2)
    state = GAME.setup({}, 2, bytes(32), ({}, {"deck": listed(own)})).state
    assert sorted((*state.grip, *state.stack)) == sorted(own.codes())
    assert sorted(GAME.view(state, GAME.pending(state)[0].seat).scene.decks[RUNNER]) == []


def test_each_seat_has_its_own_starters_to_choose_from() -> None:
    option = next(option for option in GAME.options() if option.name == "deck")
    assert option.values_of(CORP)[:4] == ("haas-bioroid", "jinteki", "nbn", "weyland")
    assert option.values_of(RUNNER)[:3] == ("anarch", "criminal", "shaper")


def test_the_ready_decks_are_offered_to_the_seats_that_they_are_for() -> None:
    """They could be named, but no form offered them."""
    deck, back = (next(one for one in GAME.options() if one.name == name) for name in ("deck", "return_deck"))
    for side in (CORP, RUNNER):
        ready = {name for name, one in READY.items() if FACTS[one.identity].side == side}
        assert set(deck.values_of(side)) == set(back.values_of(1 - side)) == ready | set(starters(side))


def starters(side: int) -> tuple[str, ...]:
    return tuple(name for name, one in STARTERS.items() if FACTS[one.identity].side == side)


def test_a_deck_for_the_core_set_holds_no_other_card() -> None:
    modern = deck("shaper", Mimic=1, Diesel=0, Paragon=1, Fall_Guy=1)
    assert problems(modern, RUNNER) == problems(modern, RUNNER, "reverie") == []
    assert problems(modern, RUNNER, "core") == ["format Fall Guy", "format Paragon"]
    gnat = Deck(CODES['Nathaniel "Gnat" Hall'], STARTERS["anarch"].cards)
    assert problems(gnat, RUNNER) == []
    assert problems(gnat, RUNNER, "core") == ['format Nathaniel "Gnat" Hall: One-of-a-Kind']
    assert [problems(one, FACTS[one.identity].side, "core") for one in STARTERS.values()] == [[]] * len(STARTERS)


def test_a_match_of_the_core_set_refuses_a_deck_with_other_cards() -> None:
    brought = [{}, {"deck": listed(deck("shaper", Diesel=2, Paragon=1))}]
    GAME.setup({}, 2, bytes(32), brought)
    with pytest.raises(BadNotation, match="format Paragon"):
        GAME.setup({"format": "core"}, 2, bytes(32), brought)


def test_cards_may_be_as_many_as_they_say_themselves() -> None:
    assert problems(deck("shaper", Diesel=2, DJ_Fenris=2), RUNNER) == ["copies DJ Fenris 2"]


@pytest.mark.parametrize("name", READY)
def test_a_ready_deck_is_legal_and_really_uses_the_later_cards(name: str) -> None:
    given = READY[name]
    side = FACTS[given.identity].side
    assert read(name, side) == given
    later = sum(n for code, n in given.cards if FACTS[code].pack != "core")
    assert later >= 12
    assert any(reason.startswith("format") for reason in problems(given, side, "core"))


def test_there_are_six_ready_decks_a_side_and_every_faction_has_one() -> None:
    identities = [FACTS[given.identity] for given in READY.values()]
    assert [sum(one.side == side for one in identities) for side in (CORP, RUNNER)] == [6, 6]
    assert {one.faction for one in identities} == {FACTS[code].faction for code in FACTIONS.values()}
    assert not set(READY) & set(STARTERS)


@pytest.mark.parametrize(
    ("given", "detail"),
    [("nonsense", "nonsense"), (listed(STARTERS["anarch"]), f"identity {title(FACTIONS['anarch'])}")],
)
def test_a_refused_deck_was_told_with_a_question_mark_before_the_reason(given: str, detail: str) -> None:
    with pytest.raises(BadNotation) as refused:
        read(given, CORP)
    for said in (in_english(refused.value), *(sentence(refused.value, catalogue(one)) for one in CHOICES)):
        assert "?" not in said
        assert said.count(detail) == 1


def test_a_number_of_cards_that_is_none_is_told_as_json() -> None:
    with pytest.raises(BadNotation) as refused:
        read({"identity": "Noise: Hacker Extraordinaire", "cards": {"Sure Gamble": None}}, RUNNER)
    assert refused.value.detail == "Sure Gamble: null"


@pytest.mark.parametrize("name", [*STARTERS, *READY])
def test_a_deck_that_is_stored_is_the_deck_that_was_brought(name: str) -> None:
    given = {**STARTERS, **READY}[name]
    side = FACTS[given.identity].side
    kept = finished(reading_deck(listed(given)))
    assert read(kept, side) == given
    assert finished(reading_deck(kept)) == kept
    assert isinstance(kept, dict)
    assert list(kept) == ["identity", "cards"]
    assert finished(reading_deck(name)) == name
