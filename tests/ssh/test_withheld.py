"""What a window withholds: nobody else can tell it from an answer that is still owed."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from game.contract import Seat
from server.matches import playable
from server.matches.errors import MatchOver
from server.matches.match import Match
from tests.clocks import FakeClock
from tests.conformance.tiny.registering import tiny_is_registered
from tests.matches.table import GUEST, LIO, MIRA, SEED, TARN, ZOE, SharedBus, new_database
from tests.ssh.commands import Commands, open_commands, person

__all__ = ["tiny_is_registered"]
LAST_ROUND = {"rounds": 2}
PEOPLE = (MIRA, TARN, LIO)
STEP_S, STEPS = 0.25, 7
LISTS = (
    *("games --json", "games", "games --live --json", "games --finished --json", "games --mine --json"),
    *("games --mine --finished --json", "history --json", "history mira --json", "history tarn --json"),
    *("top tiny-many --json", "top tiny --json", "user mira --json", "user tarn --json", "user lio --json"),
)
MATCH = ("show m1 --json", "show m1", "replay m1", "record m1", "show m1 --as 0 --json", "show m1 --as 2 --json")
STAFF = ("admin matches --json", "admin matches")
OWN = ("export-my-data", "whoami --json")


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def url(tmp_path: Path, migrated_file: Path) -> str:
    return await new_database(tmp_path, migrated_file)


def is_at_last_answer(match: Match) -> Callable[[], bool]:
    """Tell whether a window waits for one seat, whose silence would end the match."""

    def tell() -> bool:
        asked = [one for one in match.live.log.head.pending if one.window]
        if len(asked) != 1:
            return False
        game, state = match.live.log.game, match.live.log.head.fold.state
        return game.result(game.timeout(state, asked[0].seat).state) is not None

    return tell


async def window(here: Commands) -> tuple[Match, Seat]:
    """Play a rated match of three up to the window's last answer, which would end it; return who owes it."""
    match = await here.table.begin(*PEOPLE, seed=SEED, options=LAST_ROUND, rated=True)
    for _ in range(200):
        if is_at_last_answer(match)():
            return match, match.live.log.head.pending[0].seat
        asked = match.live.log.head.pending[0]
        if asked.window:
            await here.table.play(match, asked.seat, "pass")
            if match.live.log.is_withholding:
                await here.table.wait(2.25)
        else:
            await here.table.play_any(match, asked.seat)
    raise AssertionError("no window whose silence ends the match")


async def looks(there: Commands, last: Seat) -> dict[str, object]:
    """Look in every way as everybody but who answers last."""
    others = [player for seat, player in enumerate(PEOPLE) if seat != last]
    staff = person(others[0], "moderator")
    seen: dict[str, object] = {}
    for who in (staff, *(person(one) for one in others), person(ZOE), person(GUEST)):
        lines = (*LISTS, *MATCH, *(OWN if who.account_id is not None else ()), *(STAFF if who.roles else ()))
        for line in lines:
            seen[f"{who.name} {sorted(who.roles)} {line}"] = await there.ssh(who, line)
        seen[f"{who.name} running"] = await there.services.matches.running_of(who.player)
    lobby = there.services.lobby
    listening = lobby.subscribe(lambda: None)
    await lobby.refresh()
    listening.close()
    now = lobby.snapshot()
    seen["lobby"] = (now.matches, now.rooms, now.seeks, now.here)
    match = await there.services.matches.open("m1")
    for seat in (seat for seat in match.terms.seats if seat != last):
        shot = match.snapshot(seat)
        seen[f"seat {seat}"] = (shot.seq, shot.pending, shot.deciding, shot.offers, shot.claim_at, shot.seats)
    return seen


async def evening(url: str, clock: FakeClock, answers: bool, elsewhere: bool) -> list[dict[str, object]]:
    """Play one evening; return what was seen at every moment of the window, `elsewhere` in another process."""
    bus, told = SharedBus(), []
    async with AsyncExitStack() as stack:
        here = await stack.enter_async_context(open_commands(url, clock, bus))
        there = await stack.enter_async_context(open_commands(url, clock, bus)) if elsewhere else here
        match, last = await window(here)
        moderator = next(player for seat, player in enumerate(PEOPLE) if seat != last)
        await here.services.accounts.set_role(moderator.account_id or 0, "moderator", held=True)
        if answers:
            await here.table.play(match, last, "pass")
        for _ in range(STEPS):
            await here.table.wait(STEP_S)
            told.append(await looks(there, last))
        if answers:
            was_over = match.is_over
            assert not was_over
            await here.table.wait(2)
            assert match.is_over
            zoe = person(ZOE)
            assert [one["match"] for one in await there.json(zoe, "games --finished")] == ["m1"]
            assert (await there.json(zoe, "user mira"))[0]["ratings"], "then it counts"
    return told


@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "in another process"])
async def test_a_match_whose_last_answer_is_withheld_looks_as_if_it_were_owed_in_every_way_of_looking(
    tmp_path: Path, url: str, elsewhere: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`games`, `user`, `top`, `history` and `export-my-data` told the end, and the ratings, before `show` did."""
    monkeypatch.setattr(playable, "new_id", lambda: "m1")
    again = tmp_path / "again.db"
    shutil.copy(url.removeprefix("sqlite:///"), again)
    owed = await evening(url, FakeClock(), answers=False, elsewhere=elsewhere)
    held = await evening(f"sqlite:///{again}", FakeClock(), answers=True, elsewhere=elsewhere)
    for moment, (one, other) in enumerate(zip(owed, held, strict=True)):
        for way, seen in one.items():
            assert other[way] == seen, f"{way} tells at step {moment}"


async def test_a_program_s_orders_do_not_meet_an_answer_that_is_withheld(url: str, clock: FakeClock) -> None:
    """'stale' in place of 'not your turn', and an offer refused as too late, told that the others had passed."""
    async with open_commands(url, clock) as here:
        match, last = await window(here)
        other = Seat(next(seat for seat in match.terms.seats if seat != last))
        await here.table.play(match, last, "pass")
        probe = asyncio.ensure_future(match.offer(other, "draw"))
        await here.table.wait(0.5)
        assert not probe.done(), "it waits for the window's minimum, as it would where the answer is owed"
        await here.table.wait(3)
        with pytest.raises(MatchOver):
            await probe
