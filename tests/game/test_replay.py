"""The fold of a match's log: what each kind of entry does, and which entries do not fit."""

from __future__ import annotations

from typing import Any

import pytest

from game.contract import Result, Seat
from game.errors import BadNotation, IllegalAction
from game.replay import DRAW_AGREED, Entry, Fold, Header, Status, advance, begin, fold_all
from tests.conformance.tiny.rules import GAME
from tests.conformance.tiny.state import State

HEADER = Header("tiny", 1, {"rounds": 2}, 3, bytes(32))
A, B, C = map(Seat, range(3))


def entry(seq: int, kind: str, seat: Seat | None = None, action: str | None = None, **data: Any) -> Entry:
    return Entry(seq, kind, seat, action, "2026-01-01T00:00:00Z", data)


def folded(*entries: Entry) -> Fold[State]:
    return fold_all(GAME, HEADER, entries)


def lowest_bid(fold: Fold[State], seat: Seat) -> str:
    return f"bid {fold.state.players[seat].hand[0]}"


def test_the_beginning_is_the_setup() -> None:
    fold, events = begin(GAME, HEADER)
    setup = GAME.setup({"rounds": 2}, 3, bytes(32))
    assert (fold.state, events) == (setup.state, setup.events)
    assert (fold.seq, fold.status, fold.result, fold.bots) == (0, Status.LIVE, None, (None, None, None))


def test_an_action_is_the_rules_step() -> None:
    fold, _ = begin(GAME, HEADER)
    action = lowest_bid(fold, B)
    after, events = advance(GAME, fold, entry(1, "action", B, action))
    assert after.seq == 1
    assert after.state.players[B].bid == action.removeprefix("bid ")
    assert [event.kind for event in events] == ["bid"]
    assert fold.state.players[B].bid is None


def test_a_conditional_move_is_played_as_an_action_and_needs_one() -> None:
    action = lowest_bid(begin(GAME, HEADER)[0], B)
    assert folded(entry(1, "conditional", B, action)).state == folded(entry(1, "action", B, action)).state
    with pytest.raises(BadNotation, match="no-action"):
        folded(entry(1, "conditional", B))


def test_a_timeout_is_answered_by_the_rules_and_an_empty_bank_forfeits() -> None:
    assert folded(entry(1, "timeout", A)).state.players[A].bid is not None
    assert folded(entry(1, "timeout", A, forfeit=True)).state.out == (A,)


@pytest.mark.parametrize("kind", ["resign", "left"])
def test_who_resigns_or_leaves_is_out_and_the_others_play_on(kind: str) -> None:
    fold = folded(entry(1, kind, B))
    assert fold.state.out == (B,)
    assert fold.status is Status.LIVE
    ended = folded(entry(1, kind, B), entry(2, kind, A))
    assert ended.result == Result(((C,), (A,), (B,)), "last-standing")
    assert ended.status is Status.FINISHED


def test_leaving_without_forfeit_is_only_noted_until_the_return() -> None:
    left = folded(entry(1, "left", B, forfeit=False))
    assert left.state.out == ()
    assert left.away == {B}
    assert folded(entry(1, "left", B, forfeit=False), entry(2, "returned", B)).away == frozenset()


def test_a_bot_takes_a_seat_until_its_person_returns() -> None:
    fold = folded(entry(1, "bot_seated", C, level="hard"))
    assert fold.bots == (None, None, "hard")
    assert folded(entry(1, "bot_seated", C), entry(2, "returned", C)).bots == (None, None, None)


def test_an_agreed_draw_ties_who_still_plays_above_who_is_out() -> None:
    fold = folded(entry(1, "resign", B), entry(2, "draw_agreed"))
    assert fold.result == Result(((A, C), (B,)), DRAW_AGREED)
    assert fold.status is Status.FINISHED


def test_in_a_draw_the_seats_that_are_out_keep_their_order() -> None:
    header = Header("tiny", 1, {}, 5, bytes(32))
    log = [entry(i, "resign", Seat(seat)) for i, seat in enumerate((3, 4, 0), 1)]
    fold = fold_all(GAME, header, [*log, entry(4, "draw_agreed")])
    assert fold.result == Result(((Seat(1), Seat(2)), (Seat(0),), (Seat(4),), (Seat(3),)), DRAW_AGREED)


def test_an_adjourned_match_waits_for_its_resumption() -> None:
    waiting = folded(entry(1, "adjourned"))
    assert waiting.status is Status.ADJOURNED
    for refused in (entry(2, "action", A, lowest_bid(waiting, A)), entry(2, "timeout", A), entry(2, "adjourned")):
        with pytest.raises(IllegalAction, match=r"match\.adjourned"):
            advance(GAME, waiting, refused)
    assert advance(GAME, waiting, entry(2, "resumed"))[0].status is Status.LIVE
    assert advance(GAME, waiting, entry(2, "resign", A))[0].state.out == (A,)
    with pytest.raises(IllegalAction, match=r"match\.not-adjourned"):
        folded(entry(1, "resumed"))


def test_a_void_match_has_no_result_even_after_its_end() -> None:
    assert (folded(entry(1, "void")).status, folded(entry(1, "void")).result) == (Status.VOID, None)
    ended = folded(entry(1, "draw_agreed"), entry(2, "void"))
    assert (ended.status, ended.result) == (Status.VOID, None)


def test_settings_are_a_seat_s_own_and_nothing_else() -> None:
    assert folded(entry(1, "setting", C, "auto on")).state.players[C].auto
    fold, _ = begin(GAME, HEADER)
    with pytest.raises(IllegalAction, match=r"match\.no-setting"):
        advance(GAME, fold, entry(1, "setting", C, lowest_bid(fold, C)))


def test_a_clock_credit_only_counts() -> None:
    before, _ = begin(GAME, HEADER)
    after = folded(entry(1, "clock_credited", ms=4000))
    assert (after.state, after.seq) == (before.state, 1)


@pytest.mark.parametrize(
    ("wrong", "key"),
    [
        (entry(2, "adjourned"), "match.gap"),
        (entry(0, "adjourned"), "match.gap"),
        (entry(1, "abdicated"), "match.unknown-kind"),
        (entry(1, "resign"), "match.unknown-seat"),
        (entry(1, "resign", Seat(3)), "match.unknown-seat"),
        (entry(1, "clock_credited", Seat(-1)), "match.unknown-seat"),
        (entry(1, "action", A), "match.no-action"),
        (entry(1, "timeout", A, "bid 1"), "match.no-action"),
        (entry(1, "action", A, "hop"), "tiny.error.verb"),
    ],
)
def test_what_cannot_be_read(wrong: Entry, key: str) -> None:
    with pytest.raises(BadNotation) as refused:
        folded(wrong)
    assert refused.value.key == key


def test_nothing_follows_the_end() -> None:
    for last in (entry(2, "resign", A), entry(2, "adjourned"), entry(2, "action", A, "bid 1")):
        with pytest.raises(IllegalAction, match=r"match\.over"):
            folded(entry(1, "draw_agreed"), last)
        with pytest.raises(IllegalAction, match=r"match\.over"):
            folded(entry(1, "void"), last)
    with pytest.raises(IllegalAction, match=r"match\.over"):
        folded(entry(1, "void"), entry(2, "void"))


@pytest.mark.parametrize("header", [Header("tiny", 2, {}, 2, bytes(32)), Header("other", 1, {}, 2, bytes(32))])
def test_other_rules_are_refused(header: Header) -> None:
    with pytest.raises(BadNotation, match=r"match\.other-rules"):
        begin(GAME, header)
