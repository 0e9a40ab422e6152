"""One hand on a telephone: at 40x20 every decision of every game can be made by taps alone."""

from __future__ import annotations

import re
from random import Random

import pytest

from game.contract import Seat
from game.duel import bot_named
from game.rng import Rng
from server.screens.match import MatchPage
from tests.boards.positions import NAMES, person
from tests.session.fakeserver import FakeServer, Seated, account
from tests.session.stage import StagedMatch

COLS, ROWS = 40, 20
DECISIONS = 10
MOST_TAPS = 1_500  # of somebody who taps anywhere
LEAVING = re.compile(r"P Players|esc Back|\? .*")  # keys on show that lead away; esc only where nothing is half done


async def tap(mira: Seated, page: MatchPage, rng: Random) -> None:
    """Tap somewhere, on the board often twice: to do what is there, or to go on to what is beside it."""
    col, row, last = rng.randrange(COLS), rng.choice((rng.randrange(1, ROWS - 2), ROWS - 1)), mira.rows[-1]
    if row == ROWS - 1:
        leads = next((key[0] for key in LEAVING.finditer(last) if key.start() <= col < key.end()), "")
        if not leads or (leads.startswith("esc") and not page.answering.is_resting):
            await mira.click(col, row)
    else:
        await mira.click(col, row)
        if rng.randrange(2):
            across, down = rng.choice(((0, 0), (0, 0), (4, 0), (-4, 0), (0, 2), (0, -2)))
            await mira.click(max(0, min(COLS - 1, col + across)), max(1, min(ROWS - 3, row + down)))


@pytest.mark.parametrize("game", ["rainet", "relati", "passage", "netrunner"])
async def test_what_is_decided_at_forty_columns_can_be_tapped(server: FakeServer, game: str) -> None:
    rng, chance = Random(3), Rng(b"taps of one hand on a telephone.")
    match = server.matches.add(StagedMatch(game, tuple(map(person, NAMES[:2])), "m1"))
    bot = bot_named(game, "easy", 8)
    mira = await server.connect(account("mira"), COLS, ROWS)
    await mira.type("esc", "enter")
    page = mira.session.pages.top
    assert isinstance(page, MatchPage)
    assert page.match_shown == "m1"
    decided = 0
    while decided < DECISIONS and match.rules.result(match.state) is None:
        mine = match.snapshot(Seat(0)).pending
        if mine is None:
            owed, chance = chance.choose(match.rules.pending(match.state))
            own, chance = chance.split()
            match.play(owed.seat, bot.decide(match.rules.view(match.state, owed.seat), owed, own).text)
            await mira.settle()
            continue
        seq = match.seq
        for _ in range(MOST_TAPS):
            mira.clock.typed_s += 1
            await tap(mira, page, rng)
            if match.seq != seq or mira.session.pages.top is not page:
                break
        assert mira.session.pages.top is page, mira.text
        assert match.seq != seq, f"{mine.prompt}\n{mira.text}"
        decided += 1
    assert decided == DECISIONS
