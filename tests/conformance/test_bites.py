"""The battery itself: each fault planted in the tiny game is found by the test that should find it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from game.contract import Action, Event, Json, OneOf, Pending, Result, Seat, Step, Viewer, Watcher
from game.errors import BadNotation, IllegalAction
from tests.conformance import test_endings as endings
from tests.conformance import test_offers as offers
from tests.conformance import test_states as states
from tests.conformance import test_views as views
from tests.conformance.play import Case, only, played, remembered, seed_of
from tests.conformance.tiny import rules
from tests.conformance.tiny.rules import Tiny
from tests.conformance.tiny.state import VETO, State
from tests.conformance.tiny.view import HIDDEN, View

CASE = Case("tiny", 4)


class ShowsBids(Tiny):
    """Shows what the others laid aside."""

    def view(self, state: State, viewer: Viewer) -> View:
        return replace(super().view(state, viewer), bids=tuple(player.bid for player in state.players))


class ShowsSeed(Tiny):
    """Hides the seed in the view."""

    def view_json(self, seen: View) -> dict[str, Json]:
        return {**super().view_json(seen), "deal": rules_seed(CASE)}


class AsksOnlyHolders(Tiny):
    """Opens the window only to those who could use it, which tells the others who they are."""

    def pending(self, state: State) -> tuple[Pending, ...]:
        owed = super().pending(state)
        asked = [p for p in owed if p.window is None or VETO in state.players[p.seat].hand]
        return tuple(asked or owed[:1])


class TellsBids(Tiny):
    """Tells everybody in the log what is laid aside."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        step = super().apply(state, seat, action)
        return Step(step.state, (*step.events, Event("heard", {"text": action.text})))


class PublicSettings(Tiny):
    """Shows who passes by itself."""

    def view(self, state: State, viewer: Viewer) -> View:
        return replace(super().view(state, viewer), auto=any(player.auto for player in state.players))


class ShowsEverything(Tiny):
    """Gives the public the view of somebody who sees all."""

    def view(self, state: State, viewer: Viewer) -> View:
        return replace(super().view(state, Watcher.OMNISCIENT), viewer=viewer)


class Guesses(Tiny):
    """Makes states in which the viewer holds other cards."""

    def determinize(self, seen: View, rng: Any) -> State:
        state = super().determinize(seen, rng)
        return replace(state, players=tuple(reversed(state.players)))


class AcceptsAnything(Tiny):
    """Lets a seat pass when it is asked for something else."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        return Step(state) if action.text == "pass" and state.stack else super().apply(state, seat, action)


class OffersTooMuch(Tiny):
    """Offers a veto that is not in the hand."""

    def pending(self, state: State) -> tuple[Pending, ...]:
        owed = super().pending(state)
        offer = OneOf((Action("pass"), Action("veto")))
        return tuple(replace(p, choice=offer) if p.window else p for p in owed)

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        return Tiny().apply(state, seat, action)


class CannotRead(Tiny):
    """Calls what can't be read illegal."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        try:
            return super().apply(state, seat, action)
        except BadNotation as error:
            raise IllegalAction(error.key) from error


class ForgetsSettings(Tiny):
    """Loses the settings when it is stored."""

    def dump(self, state: State) -> Json:
        return super().write_position(replace(state, players=tuple(replace(p, auto=False) for p in state.players)))


class WritesHalf(Tiny):
    """Writes positions without what is half resolved."""

    def write_position(self, state: State) -> Json:
        whole = super().write_position(state)
        assert isinstance(whole, dict)
        return {name: value for name, value in whole.items() if name not in ("stack", "prize")}


class AsksTheGone(Tiny):
    """Keeps asking who gave up."""

    def forfeit(self, state: State, seat: Seat) -> Step[State]:
        if seat in state.out or not state.stack:
            raise IllegalAction("tiny.error.out")
        return Step(replace(state, out=(*state.out, seat)))


class CountsTheGone(Tiny):
    """Says that all are in until the end."""

    def playing(self, state: State) -> tuple[Seat, ...]:
        return tuple(map(Seat, range(len(state.players)))) if state.stack else ()


class LosesSeats(Tiny):
    """Leaves those who went out early out of the result."""

    def result(self, state: State) -> Result | None:
        result = super().result(state)
        return result and replace(result, placements=result.placements[:1])


class EndsEarly(Tiny):
    """Has a result before the end."""

    def result(self, state: State) -> Result | None:
        early = state.round > 1 and state.stack
        return Result(((Seat(0), Seat(1), Seat(2), Seat(3)),), "early") if early else super().result(state)


class TimesOutAnybody(Tiny):
    """Lets time run out for seats that owe nothing."""

    def timeout(self, state: State, seat: Seat) -> Step[State]:
        if any(p.seat == seat for p in self.pending(state)):
            return super().timeout(state, seat)
        return Step(state)


class ForgetsItsVersion(Tiny):
    """Has a second version, and states that do not know it."""

    spec = replace(Tiny.spec, version=2)


class DealsAnew(Tiny):
    """Deals other cards each time."""

    deals = 0

    def setup(self, options: Any, n_seats: int, seed: bytes, seat_options: Any = ()) -> Step[State]:
        self.deals += 1
        return super().setup(options, n_seats, bytes([self.deals % 256]) + seed[1:], seat_options)


FAULTS: list[tuple[Tiny, Callable[[Case], None]]] = [
    (ShowsBids(), views.test_a_secret_answer_shows_the_others_nothing_until_all_are_in),
    (TellsBids(), views.test_a_secret_answer_shows_the_others_nothing_until_all_are_in),
    (ShowsSeed(), views.test_the_seed_is_in_no_view),
    (AsksOnlyHolders(), views.test_a_full_state_made_from_a_view_cannot_be_told_from_the_real_one),
    (AsksOnlyHolders(), views.test_two_states_made_from_one_view_cannot_be_told_apart),
    (PublicSettings(), views.test_settings_are_seen_by_their_seat_only),
    (ShowsEverything(), lambda case: views.test_each_seat_has_secrets_from_every_viewer(case.key)),
    (Guesses(), views.test_a_full_state_made_from_a_view_cannot_be_told_from_the_real_one),
    (AcceptsAnything(), offers.test_actions_of_other_moments_are_illegal_not_unreadable),
    (OffersTooMuch(), offers.test_every_offered_action_is_accepted_and_leaves_the_old_state_alone),
    (CannotRead(), offers.test_unreadable_text_is_told_from_illegal),
    (ForgetsSettings(), states.test_every_state_survives_dump_and_load),
    (ForgetsItsVersion(), states.test_a_state_keeps_the_version_it_is_played_under_whatever_is_done_with_it),
    (WritesHalf(), states.test_positions_are_read_as_they_were_written),
    (AsksTheGone(), endings.test_who_gives_up_is_out_and_does_not_win),
    (CountsTheGone(), endings.test_those_who_are_in_can_be_taken_out_and_nobody_else),
    (LosesSeats(), endings.test_a_result_is_there_exactly_at_the_end),
    (EndsEarly(), offers.test_pending_is_well_formed_and_empty_only_at_the_end),
    (TimesOutAnybody(), endings.test_running_out_of_time_is_answered_by_the_rules),
    (DealsAnew(), states.test_the_same_seed_begins_the_same_match),
    (DealsAnew(), lambda case: states.test_the_log_folds_to_the_same_state_and_hash(case, False)),
]


def rules_seed(case: Case) -> str:
    return seed_of(f"{case} a").hex()


@pytest.fixture(autouse=True)
def fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play the matches in which the faults are known to show."""
    monkeypatch.delenv("TEST_SEED", raising=False)


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Tiny], None]]:
    """Put a faulty game in the tiny one's place."""

    def plant(game: Tiny) -> None:
        monkeypatch.setattr(rules, "GAME", game)
        remembered.cache_clear()

    yield plant
    remembered.cache_clear()


@pytest.mark.parametrize(("game", "check"), FAULTS, ids=lambda value: type(value).__name__)
def test_a_planted_fault_is_found(planted: Callable[[Tiny], None], game: Tiny, check: Callable[[Case], None]) -> None:
    check(CASE)
    planted(game)
    with pytest.raises(BaseException) as found:
        check(CASE)
    assert not isinstance(found.value, KeyboardInterrupt | SystemExit)


def test_hidden_bids_are_what_the_faults_are_about() -> None:
    bids = {bid for moment in played(CASE) for bid in rules.GAME.view(moment.fold.state, Seat(0)).bids}
    assert HIDDEN in bids


def test_a_game_that_is_not_in_the_registry_was_passed_with_nothing_tried() -> None:
    assert only("tiny,rainet") == ("tiny", "rainet")
    with pytest.raises(LookupError, match="chess is not in KEYS"):
        only("rainet,chess")
