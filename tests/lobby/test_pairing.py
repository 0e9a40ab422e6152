"""One wave of pairing: what always holds, and who is served first."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.contract import Seat
from server.accounts.identity import Player
from server.lobby import pairing
from server.lobby.model import Seek
from server.lobby.pairing import Pairing, Waiter, compatible, questions, wave, window
from server.matches.agreement import Agreement
from tests.agreements import taken

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
SIZES = {"rainet": range(2, 3), "relati": range(2, 7)}


def waiter(
    number: int,
    person: int | None = None,
    rating: int | None = 1500,
    waited_s: float = 0,
    blocked: frozenset[int] = frozenset(),
    game: str = "rainet",
    **seek: Any,
) -> Waiter:
    person = number if person is None else person
    player = Player("account", f"p{person}", account_id=person)
    wanted = Seek(Agreement(game, **({"rated": True} | taken(seek))), **seek)
    since = NOW - timedelta(seconds=waited_s)
    return Waiter(
        f"w{number}", f"a:{person}", player, wanted, "{}", since, rating, frozenset(f"a:{p}" for p in blocked)
    )


def pair(*waiters: Waiter) -> list[set[str]]:
    return [{one.id for one in made.waiters} for made in wave(waiters, NOW, SIZES, Random(1))]


def test_the_nearest_ratings_meet_first() -> None:
    assert pair(waiter(1, rating=1500), waiter(2, rating=1580), waiter(3, rating=1510)) == [{"w1", "w3"}]


def test_the_window_widens_until_anybody_will_do() -> None:
    far = waiter(2, rating=1900)
    assert window(waiter(1), NOW) == (1380, 1620)
    assert window(waiter(1, waited_s=30), NOW) == (1200, 1800)
    assert window(waiter(1, waited_s=61), NOW) == (None, None)
    assert pair(waiter(1, waited_s=61), far) == []
    assert pair(waiter(1, waited_s=61), waiter(2, rating=1900, waited_s=61)) == [{"w1", "w2"}]


def test_a_hard_range_holds_however_long_one_waits() -> None:
    picky = waiter(1, waited_s=999, rating_low=1600)
    assert window(picky, NOW) == (1600, None)
    assert pair(picky, waiter(2, rating=1599, waited_s=999)) == []
    assert pair(picky, waiter(2, rating=None, waited_s=999)) == []
    assert pair(picky, waiter(2, rating=1600, waited_s=999)) == [{"w1", "w2"}]


def test_two_who_want_the_same_seat_do_not_meet() -> None:
    assert pair(waiter(1, seat=Seat(0)), waiter(2, seat=Seat(0))) == []


def test_a_table_of_the_wished_size_goes_before_a_smaller_one() -> None:
    many = [waiter(n, game="relati", players=4, fewest=2, waited_s=40) for n in range(5)]
    assert pair(*many) == [{"w0", "w1", "w2", "w3"}]


def test_fewer_only_when_everybody_at_the_table_said_so() -> None:
    content = [waiter(n, game="relati", players=4, fewest=2, waited_s=40) for n in range(2)]
    strict = waiter(9, game="relati", players=4, waited_s=99)
    assert pair(*content, strict) == [{"w0", "w1"}]
    assert pair(content[0], strict) == []


def test_bots_come_only_to_who_wants_them_and_has_waited() -> None:
    assert pair(waiter(1, bots=True)) == []
    assert pair(waiter(1, bots=True, waited_s=31)) == [{"w1"}]


def test_who_comes_late_sits_down_with_who_has_waited_rather_than_each_with_bots() -> None:
    many = [waiter(n, game="relati", players=5, bots=True, waited_s=waited) for n, waited in enumerate((31, 29, 0))]
    assert pair(*many) == [{"w0", "w1", "w2"}]
    few = [waiter(n, game="relati", players=5, fewest=2, waited_s=waited) for n, waited in enumerate((31, 1))]
    assert pair(*few) == [{"w0", "w1"}]
    assert pair(*[waiter(n, game="relati", players=5, fewest=2, bots=True, waited_s=29) for n in range(2)]) == []


def test_who_is_booked_in_one_game_is_not_booked_in_another() -> None:
    made = pair(
        waiter(1, person=1),
        waiter(2, person=1, game="relati"),
        waiter(3, person=3),
        waiter(4, person=4, game="relati"),
    )
    assert made == [{"w1", "w3"}]


def relati(number: int, person: int | None = None, source: str = "", options: str = "{}", **seek: object) -> Waiter:
    """Somebody without a rating; the higher the number, the later they came."""
    one = waiter(number, person, rating=None, waited_s=1000 - number / 10, game="relati", **seek)  # type: ignore[arg-type]
    return replace(one, source=source, options=options)


def met(*waiters: Waiter) -> set[str]:
    return set().union(*pair(*waiters))


def test_two_with_a_hundred_seeks_for_one_seat_each_keep_nobody_else_waiting() -> None:
    """They filled the wave, which looked at the oldest seeks only."""
    flood = [relati(number, person=number % 2, seat=Seat(0)) for number in range(200)]
    assert {"w201", "w202"} <= met(*flood, relati(201), relati(202))


def test_two_with_a_hundred_different_seeks_each_keep_nobody_else_waiting() -> None:
    flood = [relati(number, person=number % 2, seat=Seat(0), rating_low=number) for number in range(200)]
    assert pair(*flood, relati(201), relati(202)) == [{"w201", "w202"}]


def test_many_who_all_want_one_seat_keep_nobody_else_waiting() -> None:
    crowd = [relati(number, seat=Seat(0)) for number in range(130)]
    assert {"w201", "w202"} <= met(*crowd, relati(201), relati(202, seat=Seat(1)))


def test_many_who_nobody_can_meet_keep_others_apart_for_a_few_waves_only() -> None:
    crowd = [relati(number, rating_low=5000) for number in range(300)]
    rng = Random(1)
    assert any(wave([*crowd, relati(301), relati(302)], NOW, SIZES, rng) for _ in range(30))


def test_the_guests_of_one_address_have_one_turn_together() -> None:
    crowd = [relati(number, source=f"192.0.2.{number % 7}", rating_low=5000) for number in range(300)]
    newcomers = relati(301, source="198.51.100.1"), relati(302, source="198.51.100.2")
    assert pair(*crowd, *newcomers) == [{"w301", "w302"}]


def test_who_plays_already_takes_nobodys_place_in_a_smaller_match() -> None:
    sated = [relati(number, person=number // 2, players=2 + 2 * (number % 2), fewest=2) for number in range(200)]
    hungry = [relati(number, players=6, fewest=2) for number in (201, 202)]
    assert {"w201", "w202"} <= met(*sated, *hungry)


def test_a_wave_is_found_and_asked_about_in_so_many_comparisons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeks in a hundred kinds took seconds of every second."""
    compared = 0

    def counted(one: Waiter, other: Waiter, now: datetime) -> bool:
        nonlocal compared
        compared += 1
        return compatible(one, other, now)

    monkeypatch.setattr(pairing, "compatible", counted)
    many = [
        relati(number, number % 140, options=str(number // 140), seat=Seat(0), players=6, fewest=2, asks=True)
        for number in range(1400)
    ]
    assert pair(*many) == []
    assert list(questions(many, NOW, SIZES, ())) == []
    assert compared < 500_000


waiters = st.builds(
    waiter,
    number=st.integers(0, 10**6),
    person=st.integers(1, 12),
    rating=st.one_of(st.none(), st.integers(1000, 2000)),
    waited_s=st.floats(0, 120),
    blocked=st.frozensets(st.integers(1, 12), max_size=3),
    game=st.just("relati"),
    players=st.integers(2, 5),
    seat=st.one_of(st.none(), st.integers(0, 1)),
    rating_low=st.one_of(st.none(), st.integers(1000, 1600)),
    rating_high=st.one_of(st.none(), st.integers(1400, 2000)),
    fewest=st.one_of(st.none(), st.just(2)),
    bots=st.booleans(),
    speed=st.sampled_from(("fast", "normal")),
)


@settings(deadline=None, max_examples=300)
@given(st.lists(waiters, max_size=30, unique_by=lambda one: one.id), st.integers(0, 2**32))
def test_a_wave_never_breaks_a_promise(all_wishes: list[Waiter], seed: int) -> None:
    made = wave(all_wishes, NOW, SIZES, Random(seed))
    persons = [one.person for found in made for one in found.waiters]
    assert len(persons) == len(set(persons))
    for found in made:
        check(found)


def check(made: Pairing) -> None:
    """Check everything that must hold at one table."""
    for one in made.waiters:
        assert one.seek.seat is None or made.seats[one.seek.seat] is one
        assert (one.seek.fewest or one.seek.agreement.players) <= len(made.seats) <= one.seek.agreement.players
        assert one.seek.bots or None not in made.seats
        for other in made.waiters:
            if other is one:
                continue
            assert compatible(one, other, NOW)
            assert one.person != other.person
            assert other.person not in one.blocked
            assert one.seek.agreement.speed == other.seek.agreement.speed
            low, high = one.seek.rating_low, one.seek.rating_high
            assert low is None or (other.rating is not None and other.rating >= low)
            assert high is None or (other.rating is not None and other.rating <= high)
