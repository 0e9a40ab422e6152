"""The processes that think for bots: real ones, killed and fooled."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from game.choices import contains
from game.contract import Action, OneOf, Seat
from game.rng import Rng
from server.matches.botpool import BotPool, BotProcess
from server.matches.botprocess import BotQuestion
from server.matches.chance import bot_seed
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
    assert contains(PENDING.choice, await ask(impatient, "hangs"))
    assert asked == ["hangs", "normal"]


@pytest.mark.parametrize("level", ["hangs", "raises", "lies"])
async def test_where_a_bot_failed_it_played_at_random(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a master was too slow again and again, and ran into ice that it could not break."""
    pool = BotPool(1, limit_s=5, modules=MODULES)
    seed = bytes(range(32))
    monkeypatch.setattr("server.matches.botpool.draw", None)
    assert await ask(pool, level, seed) == bot.BOTS["normal"].decide(VIEW, PENDING, Rng(seed))
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
    thinking = asyncio.create_task(ask(impatient, "hangs"))
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


async def test_a_process_killed_in_the_middle_of_a_thought_is_asked_again(pool: BotPool) -> None:
    said = await ask(pool, "dies")
    assert contains(PENDING.choice, said)


async def test_a_bot_that_takes_too_long_plays_something_legal(impatient: BotPool) -> None:
    await ask(impatient, "easy")
    quick = impatient.pids
    assert contains(PENDING.choice, await ask(impatient, "hangs"))
    assert impatient.pids == quick, "the slow one is killed"


@pytest.mark.parametrize("level", ["raises", "lies", "no such level"])
async def test_whatever_a_bot_does_the_answer_is_legal(pool: BotPool, level: str) -> None:
    assert contains(PENDING.choice, await ask(pool, level))


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
