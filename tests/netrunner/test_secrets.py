"""Nobody learns what they may not know: at every decision of random play, with every pairing of starter decks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any

import pytest

from game import registry
from game.contract import Action, Game, Json, Seat, Viewer, Watcher
from game.netrunner.decks import SIDES_OF
from game.netrunner.facts import CORP, FACTS, RUNNER, title
from game.netrunner.rules import GAME
from game.netrunner.state import State
from game.rng import Rng
from tests.conformance.play import Case, Moment, drawn_of, moments, sampled
from tests.conformance.test_views import visible
from tests.netrunner.modern import CORPS, IDENTITIES, RUNNERS, listed
from tests.netrunner.table import Play

PAIRINGS = list(product(*SIDES_OF))
MODERN = [(corp, RUNNERS[i % len(RUNNERS)]) for i, corp in enumerate(CORPS)]  # decks of later sets
VIEWERS: tuple[Viewer, ...] = (Seat(CORP), Seat(RUNNER), Watcher.PUBLIC)
NAMES = re.compile("|".join(re.escape(name) for name in sorted({f.title for f in FACTS.values()}, key=len)[::-1]))
CODES = re.compile(r"'(\d{5})'")
BITS = {Seat(CORP): 1, Seat(RUNNER): 2, Watcher.PUBLIC: 4}


def match(corp: str, runner: str, most: int) -> list[Moment]:
    """Return the first decisions of a random match of two starter decks."""
    decks = [listed(name) if name in IDENTITIES else name for name in (corp, runner)]
    case = Case("netrunner", 2, {}, ({"deck": decks[CORP]}, {"deck": decks[RUNNER]}))
    found = []
    for moment in moments(case, drawn_of(f"secrets {corp} {runner}"), disturbed=True):
        found.append(moment)
        if len(found) > most:
            break
    return found


def told(state: State, viewer: Viewer, moment: Moment) -> str:
    """Return all that a viewer gets to read at a decision."""
    view = GAME.view(state, viewer)
    owed = [p for p in GAME.pending(state) if p.seat == viewer]
    events = [event.seen_by(viewer) for event in moment.events]
    return "\n".join((repr(view), json.dumps(GAME.view_json(view), ensure_ascii=False), repr(owed), repr(events)))


def may_know(state: State, viewer: Viewer) -> Iterator[str]:
    """Yield every card that a viewer may know, said once more and differently than the view says it."""
    yield from (*state.identities, *state.heap, *state.removed)
    yield from (code for code, up in state.archives if up)
    for card in state.cards:
        hidden = card.place.startswith(("ice:", "root:", "rig", "hosted")) and not card.rezzed and not card.shown
        if not hidden or viewer == card.side or (viewer == RUNNER and card.seen):
            yield card.code
    for zone, marks in state.known:
        codes = [code for code, _ in state.archives] if zone == "archives" else getattr(state, zone)
        yield from (code for code, mark in zip(codes, marks, strict=False) if mark & BITS[viewer])
    if viewer == CORP:
        yield from (
            *state.hq,
            *state.rd,
            *(code for code, _ in state.archives),
        )  # of its own deck only the order is secret
    if viewer == RUNNER:
        yield from (*state.grip, *state.stack)
    for frame in state.frames:  # a program on its way into the rig has been shown
        yield from (str(value) for name, value in frame.data if name == "code" and frame.op == "install-runner")


@pytest.mark.parametrize(("corp", "runner"), [*PAIRINGS, *MODERN])
def test_no_viewer_reads_a_title_or_code_that_is_not_theirs_to_know(corp: str, runner: str) -> None:
    read_everything(match(corp, runner, 250))


@pytest.mark.soak
@pytest.mark.parametrize(("corp", "runner"), [*PAIRINGS, *product(CORPS, RUNNERS)])
def test_no_viewer_learns_anything_from_a_whole_match(corp: str, runner: str) -> None:
    log = match(corp, runner, 3_000)
    read_everything(log)
    guess_everything(log, drawn_of(f"whole {corp} {runner}"))


def read_everything(log: list[Moment]) -> None:
    """Search all that each viewer gets to read, at every decision, for cards that they may not know."""
    for before, moment in pairwise(log):
        for viewer in VIEWERS:
            state = moment.fold.state
            known = {*may_know(state, viewer), *may_know(before.fold.state, viewer)}
            text = told(state, viewer, moment)
            assert set(CODES.findall(text)) <= known, f"{viewer} at {moment.fold.seq}"
            named = {title(code) for code in known} | revealed(moment)
            assert set(NAMES.findall(text)) <= named, f"{viewer} at {moment.fold.seq}"


def revealed(moment: Moment) -> set[str]:
    """Return the cards that were shown to all at this moment; some are shuffled into a deck in the same one."""
    return {str((event.public or {}).get("card")) for event in moment.events if event.kind == "revealed"}


@pytest.mark.parametrize(("corp", "runner"), [*PAIRINGS, *MODERN])
def test_views_of_every_pairing_fit_other_states_as_well(corp: str, runner: str) -> None:
    guess_everything(sampled(tuple(match(corp, runner, 250)), 40), drawn_of(f"others {corp} {runner}"))


def guess_everything(log: list[Moment], seed: bytes) -> None:
    """Make another state from each viewer's view, which that viewer can't tell from the real one."""
    rng = Rng(seed)
    for moment in log:
        state = moment.fold.state
        for viewer in VIEWERS:
            stream, rng = rng.split()
            made = GAME.determinize(GAME.view(state, viewer), stream)
            assert list(visible(GAME, made, viewer)) == list(visible(GAME, state, viewer)), moment.fold.seq


@pytest.mark.parametrize("viewer", [CORP, RUNNER])
def test_the_order_of_a_deck_is_hidden_from_its_owner_too(viewer: int) -> None:
    scene = GAME.view(GAME.setup({}, 2, bytes(32)).state, Seat(viewer)).scene
    assert set(scene.rd) == set(scene.stack) == {"?"}


def test_an_ambush_is_not_named_to_the_public_while_its_access_resolves_in_version_1() -> None:
    game: Game[State, Any] = registry.get("netrunner", 1)
    corp: Json = {"hq": ["Snare!"], "credits": 9}
    state = game.read_position({"corp": corp, "runner": {"grip": [*("Diesel",) * 5]}, "turn": "runner"}, {})
    for text in ("run hq", "pass", "pass", "continue", "pass", "pass", "access next"):
        state = game.apply(state, game.pending(state)[0].seat, Action(text)).state
    assert (game.pending(state)[0].seat, game.pending(state)[0].prompt) == (CORP, "may")
    shown = repr(game.view(state, Watcher.PUBLIC))
    assert "Snare!" not in shown
    assert "01070" not in shown
    made = game.determinize(game.view(state, Watcher.PUBLIC), Rng(bytes(32)))
    assert game.view(made, Watcher.PUBLIC) == game.view(state, Watcher.PUBLIC)
    assert game.pending(made)[0].seat == CORP


def seen(play: Play, seat: int, side: str, zone: str) -> Any:
    """Return a zone as a seat (2: the public) reads it."""
    viewer: Viewer = Watcher.PUBLIC if seat == 2 else Seat(seat)
    position: Any = GAME.view_json(GAME.view(play.state, viewer))["position"]
    return position[side][zone]


def test_the_runner_remembers_what_was_accessed_in_hq_until_a_card_leaves_it_unseen() -> None:
    play = Play({"hq": ["Enigma", "Enigma", "Enigma"]}, turn="runner")
    play.do("run hq", "access next", "leave")
    assert seen(play, RUNNER, "corp", "hq") == ["Enigma", "?", "?"]
    assert seen(play, 2, "corp", "hq") == ["Enigma", "?", "?"], "the Corp saw it, too"
    play.do("credit", "credit", "credit", 'install "Enigma" hq')
    assert set(seen(play, RUNNER, "corp", "hq")) == {"?"}


def test_the_runner_remembers_the_top_of_r_and_d_until_it_is_shuffled() -> None:
    rd = ["Hedge Fund", "Enigma", "Ice Wall", "Hunter"]
    play = Play({"rd": rd, "hq": ["Aggressive Negotiation"]}, turn="runner")
    play.do("run rd", "access next", "leave", "credit", "credit", "credit")
    assert seen(play, RUNNER, "corp", "rd")[0] == "Hedge Fund"
    assert seen(play, CORP, "corp", "rd")[0] == "?"
    play.do("credit")
    assert "Hedge Fund" in seen(play, RUNNER, "corp", "hq"), "what was on top of R&D has been drawn"


def test_an_exposed_card_stays_known_to_everybody() -> None:
    play = Play({"servers": {"hq": {"ice": ["Enigma"]}}}, {"grip": ["Infiltration"]}, turn="runner")
    play.do('play "Infiltration"', "choose expose", "choose ice:hq:0").settle()
    for viewer in (RUNNER, 2):
        assert seen(play, viewer, "corp", "servers")["hq"]["ice"][0]["card"] == "Enigma"


def test_a_searched_and_shown_card_stays_known_in_the_grip() -> None:
    play = Play({}, {"grip": ["Special Order"], "stack": ["Corroder", "Diesel"]}, turn="runner")
    play.do('play "Special Order"', 'choose "Corroder"')
    assert seen(play, CORP, "runner", "grip") == seen(play, 2, "runner", "grip") == ["Corroder"]
    play.do('install "Corroder"')
    assert play.state.known == ()


def test_two_copies_in_a_hand_can_not_be_told_apart() -> None:
    play = Play({"hq": ["Hedge Fund", "Hedge Fund"]}, turn="runner").do("run hq", "access next", "leave")
    play.do("credit", "credit", "credit", 'play "Hedge Fund"')
    assert "Hedge Fund" not in seen(play, RUNNER, "corp", "hq")


def test_open_hands_are_shown_to_the_public_a_whole_turn_later() -> None:
    state = GAME.setup({"open_hands": True}, 2, bytes(32)).state
    turns, hands = 0, [state.hq]
    while turns < 3:
        owed = GAME.pending(state)[0]
        step = GAME.timeout(state, owed.seat)
        turns += state.turn != step.state.turn
        if state.turn != step.state.turn:
            hands.append(step.state.hq)
            assert GAME.view(step.state, Seat(CORP)).scene.hands == GAME.view(step.state, Seat(RUNNER)).scene.hands
            shown = GAME.view(step.state, Watcher.PUBLIC).scene.hands
            assert shown is not None
            assert shown[0].hq == (() if turns == 1 else tuple(sorted(hands[turns - 1])))
        state = step.state


HAND = ("Enigma", "Ice Wall", "PAD Campaign", "Snare!", "Nisei MK II", "Hedge Fund", "Akitaro Watanabe")
FORGOTTEN_AT_ROOTS = {"PAD Campaign", "Snare!", "Nisei MK II", "Akitaro Watanabe"}


@pytest.mark.parametrize(
    ("kinds", "place", "forgotten"),
    [
        (("Enigma", "Ice Wall"), "rd", {"Enigma", "Ice Wall"}),
        (("PAD Campaign", "Snare!", "Nisei MK II", "Akitaro Watanabe"), "new", FORGOTTEN_AT_ROOTS),
    ],
    ids=["ice", "in a root"],
)
@pytest.mark.parametrize("known", [(2,) * 7, (6,) * 7, (2, 0, 2, 0, 2, 0, 0), (0,) * 7], ids=str)
def test_who_knows_hq_can_not_tell_which_of_its_cards_was_installed_facedown(
    kinds: tuple[str, ...], place: str, forgotten: set[str], known: tuple[int, ...]
) -> None:
    """States that differ only in which card of HQ was installed have the same view, at each decision on the way."""
    told: dict[str, list[list[object]]] = {}
    for name in kinds:
        play = Play({"hq": [*HAND], "credits": 9}, known={"hq": [*known]})
        seen_so_far = told.setdefault(name, [])
        for text in (f'install "{name}" {place}', "credit", "credit"):
            play.do(text)
            for viewer in (Seat(RUNNER), Watcher.PUBLIC):
                seen_so_far.append([GAME.view(play.state, viewer), [e.seen_by(viewer) for e in play.events]])
        row = seen(play, RUNNER, "corp", "hq")
        assert not forgotten.intersection(row), "any of them may have gone"
        unseen = {card for card, mark in zip(HAND, known, strict=True) if not mark & 2}
        assert {card for card in HAND if card in row} == {*HAND} - forgotten - unseen
    first, *others = told.values()
    assert all(other == first for other in others)
