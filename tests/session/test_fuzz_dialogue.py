"""Whatever is typed as lines or as raw bytes: no session breaks, each line is answered, and all of it is plain text."""

from __future__ import annotations

import random
import re

import pytest

from server.sanitize import columns
from tests.answers import offered
from tests.session.evening import busy
from tests.session.fakeserver import FakeServer, account
from tests.session.hearing import Hearer, hear

WORDS = (
    *("help", "again", "back", "board", "hand", "what", "what e4", "moves", "moves 1", "since", "clock", "say hello"),
    *("say a > ", "quiet", "verbose", "lines", "screens", "yes", "no", "resign", "offer", "draw", "accept", "decline"),
    *("bot", "me", "people", "ladders", "new", "join", "play", "cancel", "tutorial", "library", "filter", "games"),
    *("watch", "replay", "rules", "chat", "profile", "1", "2", "3", "99", "0", "2 watch", "1 profile", "d2d3", "line"),
    *("雷網", "say 你好", "a" * 300, "“”", "> ", "", " "),
)
RAW = (
    *(b"\0", b"\3", b"\4", b"\r", b"\n", b"\r\n", b"\t", b"\x7f", b"\x08", b"\x15", b"\x17", b"\x1b[A", b"\x1bOB"),
    *(b"\x1b", b"\x1b[", b"\xff\xfe", b"\xe4\xbd", b"\xe4\xbd\xa0", b"\x9b31m", b"a", b"1", b" ", b"bo\thelp\r"),
    *(b"\x1b[200~pasted\r\x1b[201~", b"\xc0\x80\r", b"\x1b]0;title\x07\r", b"e\xcc\x81\x7f"),
)
FORBIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2500-\u259f\u2800-\u28ff]")
LOOSE = re.compile(r"\b(lines|keys|match|form|lobby)\.[a-z-]+\.[a-z.-]+")  # a key in the place of a text


def is_plain(hearer: Hearer, edits: bool) -> None:
    """Check what was said until now."""
    said = hearer.said.sent.replace("\r\n", "\n").replace("\b \b", "")
    assert FORBIDDEN.search(said) is None, ascii(FORBIDDEN.search(said))
    assert LOOSE.search(said) is None, LOOSE.search(said)
    typed = 300 if edits else 0  # what somebody types may be longer
    assert all(columns(line) <= 120 + typed for line in said.split("\n")), max(said.split("\n"), key=columns)
    hearer.said.sent = "> "


async def type_at_random(server: FakeServer, seed: int, steps: int, edits: bool) -> None:
    print(f"seed {seed}")
    rng = random.Random(seed)
    await busy(server)
    hearer = await hear(server, account("mira"), edits)
    for step in range(steps):
        match rng.randrange(12):
            case 0 if server.matches.all["m1"].rules.pending(server.matches.all["m1"].state):
                match = server.matches.all["m1"]
                owed = match.rules.pending(match.state)[0]
                match.play(owed.seat, rng.choice(offered(owed)).text)
                await hearer.settle()
            case 1 | 2 | 3:
                await hearer.type(b"".join(rng.choices(RAW, k=rng.randrange(1, 6))))
            case _:
                typed = rng.choice(WORDS)
                said = await hearer.type(typed + rng.choice(("\r", "\r\n")))
                assert hearer.task.done() or said.endswith("> "), (step, said)
                is_prompt_alone = (
                    not typed.strip() and said.count("> ") == 1
                )  # where none stood, an empty line brings it
                assert hearer.task.done() or "\n" in said or is_prompt_alone
        if hearer.task.done():
            assert await hearer.task == 0
            is_plain(hearer, edits)
            hearer = await hear(server, account("mira"), edits)
        is_plain(hearer, edits)


@pytest.mark.parametrize("edits", [True, False])
@pytest.mark.parametrize("seed", range(2))
async def test_nothing_that_is_typed_breaks_a_session(server: FakeServer, seed: int, edits: bool) -> None:
    await type_at_random(server, seed, 250, edits)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 110))
async def test_ten_thousand_lines_break_no_session(server: FakeServer, seed: int) -> None:
    await type_at_random(server, seed, 1000, bool(seed % 2))


@pytest.mark.parametrize("edits", [True, False])
async def test_a_line_of_a_megabyte_is_refused_in_a_sentence(server: FakeServer, edits: bool) -> None:
    hearer = await hear(server, account("mira"), edits)
    for _ in range(64):
        await hearer.type(b"x" * 16384)
    said = await hearer.type("\r")
    assert len(hearer.said.sent) < 20_000
    assert said.endswith("> ")
    assert said.count("\n") > 1


async def test_a_thousand_pasted_lines_are_answered_one_by_one(server: FakeServer) -> None:
    hearer = await hear(server, account("mira"), edits=False)
    before = hearer.said.sent.count("> ")
    hearer.terminal.feed(b"nonsense\n" * 1000)
    while hearer.said.sent.count("> ") < before + 1000:
        hearer.clock.typed_s += 1.0
        await hearer.settle()
    assert hearer.said.sent.count("“nonsense” means nothing here") == 1000
