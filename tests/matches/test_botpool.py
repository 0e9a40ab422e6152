"""The processes that think for bots: real ones, killed and fooled."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from game.choices import contains
from game.contract import Action, OneOf, Seat
from game.rng import Rng
from server.matches.botpool import BotPool, BotProcess
from server.matches.botprocess import BotQuestion
from server.matches.chance import bot_seed
from server.matches.errors import BotFailed
from server.matches.fairqueue import QueuePath
from tests.conformance.tiny import bot, rules
from tests.waiting import until

MODULES = ("tests.matches.odd_bots",)
STATE = rules.GAME.setup({}, 3, bytes(32)).state
VIEW = rules.GAME.view(STATE, Seat(0))
PENDING = rules.GAME.pending(STATE)[0]


@pytest.fixture
async def pool() -> AsyncIterator[BotPool]:
    made = BotPool(1, limit_s=60, modules=MODULES)
    yield made
    await made.close()


@pytest.fixture
async def impatient() -> AsyncIterator[BotPool]:
    made = BotPool(1, limit_s=0.8, modules=MODULES)
    yield made
    await made.close()


async def ask(pool: BotPool, level: str, seed: bytes = bytes(32), whose: QueuePath = ("", "", "")) -> Action:
    return await pool.decide("tiny", level, VIEW, PENDING, seed, [whose])


async def why_not(pool: BotPool, level: str) -> str:
    """Ask for what fails; return why."""
    with pytest.raises(BotFailed) as failed:
        await ask(pool, level)
    return failed.value.why


async def test_no_process_is_begun_before_there_is_something_to_think_about(pool: BotPool) -> None:
    assert pool.pids == ()


async def test_a_bot_in_a_process_decides_as_it_does_here(pool: BotPool) -> None:
    seed = bot_seed(bytes(32), 4, Seat(0))
    assert await ask(pool, "hard", seed) == bot.BOTS["hard"].decide(VIEW, PENDING, Rng(seed))
    assert len(pool.pids) == 1


async def test_a_bot_that_takes_too_long_is_not_asked_again(
    impatient: BotPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A TimeoutError is an OSError: it was taken for a process that had died, and the player waited twice as long."""
    asked: list[str] = []
    ask_process = BotProcess.ask

    async def noted(process: BotProcess, question: BotQuestion) -> tuple[bool, str]:
        asked.append(question.level)
        return await ask_process(process, question)

    monkeypatch.setattr(BotProcess, "ask", noted)
    assert await why_not(impatient, "hangs") == "slow"
    assert asked == ["hangs"]


@pytest.mark.parametrize(
    ("level", "why"),
    [("hangs", "slow"), ("raises", "wrong"), ("lies", "wrong"), ("no such level", "wrong"), ("dies", "died")],
)
async def test_where_a_bot_failed_another_level_answered_and_nobody_was_told(level: str, why: str) -> None:
    """A `master` whose process died in each decision played at random, and lost to a program of forty lines."""
    told = list[str]()
    pool = BotPool(1, limit_s=0.8, modules=MODULES, failed=told.append)
    assert await why_not(pool, level) == why
    assert told == (["died", "died"] if why == "died" else [why])
    assert await pool.can_start()
    await ask(pool, "easy")
    await pool.close()


async def test_a_process_that_cannot_be_started_is_told_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shipped unit's filter killed each of them at its start: nothing but the log showed it."""
    told = list[str]()
    pool = BotPool(1, limit_s=60, modules=("no.such.module",), failed=told.append)
    assert await pool.can_start(), "nothing was tried yet"
    assert await why_not(pool, "easy") == "not_started"
    assert told == ["not_started"]
    monkeypatch.setattr("server.matches.botpool.TRY_EVERY_S", 3600.0)
    began = BotProcess.begin
    monkeypatch.setattr(BotProcess, "begin", None)
    assert not await pool.can_start(), "it is not tried at every question"
    monkeypatch.setattr("server.matches.botpool.TRY_EVERY_S", 0.0)
    monkeypatch.setattr(BotProcess, "begin", began)
    assert not await pool.can_start()
    monkeypatch.setattr(BotProcess, "begin", lambda _modules: began(MODULES))
    assert await pool.can_start()
    assert len(pool.pids) == 1
    await ask(pool, "easy")
    assert len(pool.pids) == 1
    await pool.close()


async def test_a_forced_answer_waited_for_a_process(impatient: BotPool) -> None:
    """A steal to which there was no alternative took as long as the queue was."""
    forced = replace(PENDING, choice=OneOf((Action("steal"),)), window=None)
    assert await impatient.decide("tiny", "hangs", VIEW, forced, bytes(32), [("", "", "")]) == Action("steal")
    assert impatient.pids == ()


async def test_who_can_only_pass_in_a_window_would_answer_before_all_who_have_to_think(pool: BotPool) -> None:
    """On a busy server the prompt pass would tell that there was nothing else to answer with."""
    asked = replace(PENDING, choice=OneOf((Action("pass"),)), window="veto")
    assert await pool.decide("tiny", "easy", VIEW, asked, bytes(32), [("", "", "")]) == Action("pass")
    assert len(pool.pids) == 1


async def test_a_quick_bot_waited_for_those_that_think_for_seconds(pool: BotPool) -> None:
    """Beside 90 matches against masters it answered after 24 s."""
    await ask(pool, "easy")
    quick = set(pool.pids)
    thinking = [asyncio.create_task(ask(pool, "hangs", whose=(f"2001:db8:{n}::/48", "m"))) for n in range(30)]
    await until(lambda: len(pool.pids) == 2)
    for level in ("easy", "normal"):
        assert contains(PENDING.choice, await ask(pool, level))
    assert len(pool.pids) == 2, "none had to start: those that think have not taken theirs"
    assert quick < set(pool.pids)
    assert not any(task.done() for task in thinking)
    for task in thinking:
        task.cancel()
    await asyncio.gather(*thinking, return_exceptions=True)


async def test_matches_begun_and_resigned_killed_the_process_of_all_quick_bots(pool: BotPool) -> None:
    """Each one whose bot had begun to think ended it, and another one had to start."""
    await ask(pool, "easy")
    for _ in range(5):
        thinking, waiting = (asyncio.create_task(ask(pool, "easy")) for _ in range(2))
        while pool.has_free_place:
            await asyncio.sleep(0)
        thinking.cancel()
        waiting.cancel()
        await asyncio.gather(thinking, waiting, return_exceptions=True)
    pids = pool.pids
    assert contains(PENDING.choice, await ask(pool, "easy"))
    assert pool.pids == pids
    assert len(pids) == 1


async def test_the_loop_is_free_while_a_bot_thinks(impatient: BotPool) -> None:
    thinking = asyncio.create_task(why_not(impatient, "hangs"))
    turns = 0
    while not thinking.done():
        turns += 1
        await asyncio.sleep(0.01)
    assert turns > 10


async def test_a_process_that_was_killed_is_replaced(pool: BotPool) -> None:
    await ask(pool, "easy")
    (pid,) = pool.pids
    os.kill(pid, signal.SIGKILL)
    said = await ask(pool, "easy")
    assert contains(PENDING.choice, said)
    assert pool.pids != (pid,)


async def test_a_process_killed_in_the_middle_of_a_thought_is_asked_again(
    pool: BotPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ODD_MARK", str(tmp_path / "has-died"))
    assert contains(PENDING.choice, await ask(pool, "dies once"))
    assert (tmp_path / "has-died").exists()


async def test_a_bot_that_takes_too_long_is_killed(impatient: BotPool) -> None:
    slow = set[int]()

    async def look() -> None:
        await until(lambda: bool(impatient.pids))
        slow.update(impatient.pids)

    assert (await asyncio.gather(why_not(impatient, "hangs"), look()))[0] == "slow"
    assert impatient.pids == ()
    await until(lambda: not any(is_running(pid) for pid in slow))


async def test_a_bot_that_prints_does_not_spoil_the_pipe(pool: BotPool) -> None:
    assert contains(PENDING.choice, await ask(pool, "prints"))
    assert contains(PENDING.choice, await ask(pool, "easy"))


async def test_many_questions_wait_for_their_turn(pool: BotPool) -> None:
    answers = await asyncio.gather(*(ask(pool, "easy", bytes([n]) * 32) for n in range(20)))
    assert len(answers) == 20
    assert len(pool.pids) == 1


async def test_bot_processes_end_when_their_server_is_killed() -> None:
    """A stand-in for the server begins a bot process, has it think for a minute, and is killed."""
    code = (
        "import asyncio, sys\n"
        "from tests.matches.test_botpool import MODULES, ask\n"
        "from server.matches.botpool import BotPool\n"
        "async def main():\n"
        "    pool = BotPool(1, 60, MODULES)\n"
        "    await ask(pool, 'easy')\n"
        "    print(pool.pids[0], flush=True)\n"
        "    await ask(pool, 'hangs')\n"
        "asyncio.run(main())\n"
    )
    server = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    assert server.stdout is not None
    bot_pid = int(await server.stdout.readline())
    server.kill()
    await server.wait()
    await until(lambda: not is_running(bot_pid))


def is_running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_two_hundred_matches_of_one_guest_delayed_everybody_s_bot(pool: BotPool) -> None:
    """Who asked last was served last: a person waited for all of them. Now for the one that is being thought about."""
    order: list[str] = []

    async def wait(person: str, match: str) -> None:
        await ask(pool, "easy", whose=(f"192.0.2.{len(person)}", person, match))
        order.append(person)

    guest = [asyncio.create_task(wait("guest", f"m{n}")) for n in range(200)]
    await asyncio.sleep(0)
    mira = asyncio.create_task(wait("mira", "m"))
    await asyncio.gather(mira, *guest)
    assert order.index("mira") == 1
