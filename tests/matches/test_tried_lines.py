"""Trying a line: who may, from what it is made, and that it changes nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game.choices import draw
from game.contract import Seat
from game.rng import Rng
from server.matches.errors import NotOffered
from server.matches.match import Match
from server.matches.matchlog import MatchLog
from server.matches.tried_line import TriedLine
from tests.matches.table import EASY, MIRA, TARN, Table

FIRST = Seat(0)
CHANCE = bytes(range(32))


def played_out(line: TriedLine, decisions: int) -> list[str]:
    """Play at random, the same each time; return what was seen."""
    rng, seen = Rng(bytes(32)), list[str]()
    for _ in range(decisions):
        asked = line.snapshot.pending
        if asked is None:
            break
        action, rng = draw(asked.choice, rng)
        line.play(action)
        seen.append(f"{action.text} {line.snapshot.view} {line.events}")
    return seen


@pytest.mark.parametrize("game", ["rainet", "passage", "netrunner"])
async def test_a_line_follows_from_the_view_and_chance_alone(table: Table, game: str) -> None:
    match = await table.begin(MIRA, EASY, game=game, speed="untimed")
    for _ in range(3):
        await table.wait(2)
        if match.snapshot(FIRST).pending is not None:
            await table.play_any(match, 0)
    await table.wait(4)
    if not match.may_try_line(FIRST):
        await table.play_on(match, lambda: match.may_try_line(FIRST))
    before = match.live.log.head
    real = played_out(match.try_line(FIRST, CHANCE), 30)
    rules, view = match.live.log.game, match.snapshot(FIRST).view
    twin = rules.determinize(view, Rng(bytes(31) + b"!"))
    assert rules.dump(twin) != rules.dump(before.fold.state)
    other = replace(before, fold=replace(before.fold, state=twin))
    log = MatchLog(match.terms, other, match.live.log.entries)
    assert played_out(Match(table.matches.context, match.terms, (), log).try_line(FIRST, CHANCE), 30) == real
    assert played_out(match.try_line(FIRST, bytes(32)), 30) != real, "other chance, another world"
    assert match.live.log.head.seq == before.seq


async def test_nobody_tries_a_line_beside_another_person_or_out_of_turn(table: Table) -> None:
    with_tarn = await table.begin(MIRA, TARN, game="relati")
    assert not with_tarn.may_try_line(FIRST)
    with pytest.raises(NotOffered):
        with_tarn.try_line(FIRST, CHANCE)
    alone = await table.begin(MIRA, EASY, game="relati")
    assert alone.may_try_line(FIRST)
    await table.play_any(alone, 0)
    assert not alone.may_try_line(FIRST), "the bot is to move"


async def test_from_a_finished_match_a_line_is_exact(table: Table) -> None:
    match = await table.begin(MIRA, EASY, game="relati")
    await table.play_any(match, 0)
    await table.wait(2)
    await match.resign(FIRST)
    line = match.line_from(1, FIRST)
    assert line.snapshot.view == match.live.log.game.view(match.live.log.at(1).fold.state, line.snapshot.viewer)
    assert len(played_out(line, 10)) == 10
