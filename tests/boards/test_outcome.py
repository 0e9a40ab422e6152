"""How a match ended, in one sentence: who won stands beside why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game import registry
from game.contract import Result, Seat
from server.accounts.identity import Player
from server.boards import outcome
from server.boards.seats import name_at
from server.i18n.catalogues import CHOICES
from server.terminal.look import Look
from tests.agreements import agreed
from tests.boards.positions import snapshot
from tests.passage.build import at

LOOK = Look()


def ended(*tiers: tuple[int, ...]) -> str:
    shot = snapshot("passage", at(players=3, hands=[["slip"]]), n_seats=3)
    placements = tuple(tuple(map(Seat, tier)) for tier in tiers)
    return outcome.sentence(replace(shot, status="finished", result=Result(placements, "last-standing")), LOOK)


def test_the_survivor_is_named_before_the_reason() -> None:
    """The reason stood behind who came last, as if that were the survivor."""
    why = LOOK.t("passage.reason.last-standing", loser="lio")
    order = LOOK.t("outcome.then").join(("tarn", "lio", "mira"))
    assert ended((1,), (2,), (0,)) == LOOK.t("outcome.order", name="tarn", reason=why, order=order)
    assert (
        ended((1,), (2,), (0,)).index("tarn")
        < ended((1,), (2,), (0,)).index(why)
        < ended((1,), (2,), (0,)).index(order)
    )


def test_several_winners_are_named_together() -> None:
    why = LOOK.t("passage.reason.last-standing", loser="tarn")
    order = LOOK.t("outcome.then").join(("mira, lio", "tarn"))
    assert ended((0, 2), (1,)) == LOOK.t("outcome.order-tied", names="mira, lio", reason=why, order=order)


@pytest.mark.parametrize(
    ("players", "key"),
    [
        (("mira", "tarn"), "match.card.not-counted"),
        (("mira", "guest-abcd"), "match.card.not-counted.people"),
        (("mira", "bot:easy"), "match.card.not-counted.people"),
    ],
)
def test_a_rated_match_that_does_not_count_says_why(players: tuple[str, ...], key: str) -> None:
    """It said only that no rating changes."""
    shot = snapshot("passage", at(players=2, hands=[["slip"]]))
    known = {"guest-abcd": Player("guest", "guest-abcd"), "bot:easy": Player("bot", "bot:easy")}
    seats = tuple(
        replace(info, player=known.get(name, info.player)) for info, name in zip(shot.seats, players, strict=True)
    )
    won = Result(((Seat(0),), (Seat(1),)), "resign")
    over = replace(agreed(shot, rated=True), seats=seats, counted=False, result=won)
    assert outcome.not_counted(over, LOOK) == LOOK.t(key)
    assert outcome.not_counted(replace(over, counted=True), LOOK) == ""
    assert outcome.not_counted(agreed(over, rated=False), LOOK) == ""


def test_who_could_not_act_is_named_to_the_one_who_lost() -> None:
    """The loser of a match of Relati read that "the others" can't act any more."""
    shot = snapshot("relati", registry.get("relati").read_position("Os8/9/9/9/9/9/9/9/Xs8 O OX", {}), Seat(0))
    over = replace(shot, status="finished", result=Result(((Seat(1),), (Seat(0),)), "stuck"))
    why = LOOK.t("relati.reason.stuck", loser=LOOK.t("seat.you"))
    assert outcome.sentence(over, LOOK) == LOOK.t("outcome.you-lost", name="tarn", reason=why)


@pytest.mark.parametrize("language", CHOICES)
def test_who_went_out_was_told_that_they_were_the_last_one_standing(language: str) -> None:
    """ "You lost to tarn: last one standing", read whoever had just drawn a Passage."""
    look = Look(language=language)
    shot = snapshot("passage", at(players=2, hands=[["slip"]]), Seat(0))
    over = replace(shot, status="finished", result=Result(((Seat(1),), (Seat(0),)), "last-standing"))
    assert look.t("seat.you") in outcome.ended_by(over, look)
    assert name_at(shot, 1, look) not in outcome.ended_by(over, look)


def test_the_colours_you_and_them_were_those_of_seats() -> None:
    """As North one's own cards were orange, which calibration had called "them"."""
    assert [LOOK.seated(1).hue(seat) for seat in range(4)] == [1, 0, 2, 3]
    assert [LOOK.seated(0).hue(seat) for seat in range(4)] == [LOOK.seated(None).hue(seat) for seat in range(4)]
    assert LOOK.seated(None) == LOOK
