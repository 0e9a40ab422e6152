"""Matches of two games: the second one follows by itself, with sides changed and what each brought for it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from game.contract import Seat, Watcher
from game.errors import BadNotation
from game.record import read_record, verify
from server.boards.outcome import of_two
from server.matches.match import Match
from server.matches.model import Timing
from server.matches.next_match import is_first_of_two, second_game
from server.matches.second_game import PAUSE_S
from server.terminal.look import Look
from tests.matches.table import EASY, MIRA, TARN, Table
from tests.texts import en

A, B = Seat(0), Seat(1)
BROUGHT: tuple[dict[str, Any], dict[str, Any]] = ({"deck": "weyland", "return_deck": "anarch"}, {"return_deck": "nbn"})


async def first_game(table: Table, **more: Any) -> Match:
    return await table.begin(MIRA, TARN, game="netrunner", options={"both_sides": True}, seat_options=BROUGHT, **more)


async def second_of(table: Table, first: Match) -> Match:
    """Let the pause pass and return the second game."""
    await table.wait(PAUSE_S + 2)
    next_id = first.snapshot(A).next_match
    assert next_id is not None
    return await table.matches.open(next_id)


async def test_the_second_game_follows_with_sides_and_decks_changed(table: Table) -> None:
    first = await first_game(table)
    first.enter(TARN, B, "tarn-1")
    await first.resign(B)
    second = await second_of(table, first)
    assert second.terms.players == (TARN, MIRA)
    assert second.terms.seat_options == ({"deck": "nbn"}, {"return_deck": "weyland", "deck": "anarch"})
    assert second.terms.seed != first.terms.seed
    assert second.snapshot(A).return_of == first.id
    assert second.snapshot(A).won == (0, 1), "mira has won the first"


async def test_a_second_game_that_was_shared_told_of_the_first_that_was_not(table: Table) -> None:
    """Whoever looked at it had the first game's id, and how it ended."""
    first = await first_game(table, private=True)
    first.enter(TARN, B, "tarn-1")
    await first.resign(B)
    second = await second_of(table, first)
    await second.resign(A)
    for player in (MIRA, TARN):
        await second.share(player)
    seen, own = second.snapshot(Watcher.PUBLIC), second.snapshot(A)
    assert (seen.is_shared, seen.return_of, seen.won) == (True, None, ())
    assert (own.return_of, own.won) == (first.id, (0, 1))


async def test_the_record_of_the_first_game_told_the_decks_of_the_second(table: Table) -> None:
    """Whoever read it while the second game ran knew every card that the other could hold; so did who played on."""
    first = await first_game(table)
    first.enter(TARN, B, "tarn-1")
    await first.resign(B)
    lines = list(await table.matches.record(first.id))
    assert [seat.get("options") for seat in json.loads(lines[0])["seats"]] == [{"deck": "weyland"}, {}]
    assert verify(read_record(lines)).agrees
    branch = await table.matches.branch(first.id, TARN, 0, B)
    assert branch.terms.seat_options == ({"deck": "weyland"}, {})


async def test_the_end_of_each_game_says_what_both_have_come_to(table: Table) -> None:
    first = await first_game(table)
    first.enter(TARN, B, "tarn-1")
    await first.resign(B)
    assert of_two(first.snapshot(A), Look()) == en("outcome.return-follows")
    second = await second_of(table, first)
    assert of_two(second.snapshot(A), Look()) == ""
    await second.resign(B)
    assert of_two(second.snapshot(A), Look()) == en("outcome.both-games", won="you 1, mira 1")


async def test_there_is_no_third_game_unless_both_want_a_rematch(table: Table) -> None:
    first = await first_game(table)
    first.enter(TARN, B, "tarn-1")
    await first.resign(B)
    second = await second_of(table, first)
    second.enter(TARN, A, "tarn-1")
    await second.resign(A)
    await table.wait(PAUSE_S + 2)
    assert second.snapshot(A).next_match is None
    await second.offer(A, "rematch")
    await second.answer(B, "rematch", accept=True)
    third = await table.matches.open(second.snapshot(A).next_match or "")
    assert is_first_of_two(third.terms)
    assert third.terms.players == (MIRA, TARN)
    assert third.terms.seat_options == BROUGHT, "each plays their own decks again"


async def test_a_game_without_the_option_stays_alone(table: Table) -> None:
    match = await table.begin(MIRA, TARN, game="netrunner")
    match.enter(TARN, B, "tarn-1")
    await match.resign(B)
    await table.wait(PAUSE_S + 2)
    assert match.snapshot(A).next_match is None


async def test_nobody_who_has_left_is_made_to_play_on(table: Table) -> None:
    first = await first_game(table)
    await first.resign(B)
    await table.wait(PAUSE_S + 2)
    assert first.snapshot(A).next_match is None


async def test_a_match_without_a_result_has_no_second_game(table: Table) -> None:
    first = await first_game(table)
    first.enter(TARN, B, "tarn-1")
    await table.matches.void(first.id, "root", "a test")
    await table.wait(PAUSE_S + 2)
    assert first.snapshot(A).next_match is None


async def test_whoever_presses_rematch_first_gets_the_second_game(table: Table) -> None:
    first = await first_game(table)
    await first.resign(B)
    await first.offer(A, "rematch")
    await first.answer(B, "rematch", accept=True)
    second = await table.matches.open(first.snapshot(A).next_match or "")
    assert second.terms.return_of == first.id


async def test_the_second_game_is_known_as_such_when_it_is_read_again(table: Table) -> None:
    first = await first_game(table)
    first.enter(TARN, B, "tarn-1")
    await first.resign(B)
    second = await second_of(table, first)
    table.skip(Timing().idle + 1)
    await table.matches.sweeper.poll()
    assert table.matches.opened(second.id) is None
    again = await table.matches.open(second.id)
    assert (again.terms.return_of, again.terms.won) == (first.id, (0, 1))


async def test_a_person_changes_sides_with_a_bot_too(table: Table) -> None:
    first = await table.begin(EASY, MIRA, game="netrunner", options={"both_sides": True})
    new = second_game(first.terms, None)
    assert new.players == (MIRA, EASY)


@pytest.mark.parametrize("wrong", ["shaper", "3 Sure Gamble"])
async def test_a_deck_for_the_other_side_must_be_one(table: Table, wrong: str) -> None:
    with pytest.raises(BadNotation):
        await table.begin(MIRA, TARN, game="netrunner", seat_options=({}, {"return_deck": wrong}))
