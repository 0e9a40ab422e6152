"""Fuzzing the bot protocol: iterations as stated, the seed printed, and first some bugs planted for the fuzzer."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from server.ssh.bot.instructions import Instruction, Unreadable, read_instruction
from tests import seeds
from tests.hostile.nasty import SEQUENCES

INSTRUCTIONS = 8_000
DOS = (
    "seek",
    "create",
    "join",
    "cancel",
    "challenges",
    "invite",
    "act",
    "offer",
    "accept",
    "decline",
    "claim",
    "resign",
    "say",
    "pong",
    "x",
    "",
    None,
)


FIELDS = (
    *("do", "id", "match", "seq", "action", "game", "players", "options", "speed", "rated", "as", "deck", "code"),
    *("what", "text", "private", "against", "v", ""),
)


VALUES: tuple[Any, ...] = (
    *(
        None,
        True,
        -1,
        0,
        1,
        2,
        10**9,
        10**30,
        1.5,
        "",
        "rainet",
        "draw",
        "win",
        "m1",
        "x" * 65,
        "x" * 300,
        "x" * 5000,
        [],
    ),
    *({}, [[[[]]]], {"a": {"b": []}}, {"x" * 70: 1}, *SEQUENCES[:20]),
)


def order_line(rng: random.Random) -> bytes:
    match rng.randrange(8):
        case 0:
            return rng.randbytes(rng.randrange(60))
        case 1:
            return rng.choice((b"[", b"{", b'{"a":')) * rng.randrange(1, 3000)
    said = {rng.choice(FIELDS): rng.choice(VALUES) for _ in range(rng.randrange(7))}
    line = json.dumps({"do": rng.choice(DOS), **said}, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    if rng.random() < 0.3 and line:
        at = rng.randrange(len(line))
        line = line[:at] + rng.randbytes(rng.randrange(3)) + line[at + rng.randrange(3) :]
    return line


def fuzz_instructions(reader: Callable[[bytes], Any], iterations: int, seed: int) -> str | None:
    """Return the first line that is neither an instruction of bounded parts nor refused with an id to answer to."""
    rng = random.Random(seed)
    for _ in range(iterations):
        line = order_line(rng)
        try:
            instruction = reader(line)
        except Unreadable as error:
            if not (error.re is None or isinstance(error.re, int | float | str)) or len(str(error.re)) > 400:
                return f"{line!r}: answers to {error.re!r}"
            continue
        except Exception as error:
            return f"{line!r}: {error!r}"
        if not isinstance(instruction, Instruction):
            return f"{line!r}: {instruction!r}"
        for name, most in (("match", 64), ("action", 4096), ("code", 64), ("text", 4096), ("game", 64), ("id", 200)):
            value = getattr(instruction, name, None)
            if isinstance(value, str) and len(value) > most:
                return f"{line!r}: {name} of {len(value)} characters"
        if getattr(instruction, "seq", 0) < 0 or abs(getattr(instruction, "players", 1)) > 10**9:
            return f"{line!r}: {instruction!r}"
    return None


def crashes_on_lists(line: bytes) -> Any:
    if line.startswith(b"["):
        return json.loads(line)["do"]
    return read_instruction(line)


def forgets_bounds(line: bytes) -> Any:
    instruction = read_instruction(line.replace(b"x" * 300, b"x" * 60))
    for name in ("match", "game", "code"):
        if getattr(instruction, name, "") == "x" * 60:
            setattr(instruction, name, "x" * 300)
    return instruction


def answers_to_anything(line: bytes) -> Any:
    try:
        return read_instruction(line)
    except Unreadable as error:
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            raise error from None
        raise Unreadable(str(error), said.get("id") if isinstance(said, dict) else None) from None


def test_any_line_is_an_order_or_refused() -> None:
    assert fuzz_instructions(read_instruction, INSTRUCTIONS, seeds.drawn()) is None


@pytest.mark.parametrize("planted", [crashes_on_lists, forgets_bounds, answers_to_anything])
def test_the_order_fuzzer_finds_a_planted_bug(planted: Callable[[bytes], Any]) -> None:
    assert fuzz_instructions(planted, INSTRUCTIONS, 1) is not None


@pytest.mark.parametrize("field", ["match", "code", "game"])
def test_a_name_that_the_store_could_not_even_look_up_is_no_instruction(field: str) -> None:
    """PostgreSQL takes no NUL: each such line left the trace of an error of ours in the log."""
    line = {"do": "join", "code": "x"} if field == "code" else {"do": "resign", "match": "m1"}
    line = {"do": "seek", "game": "x"} if field == "game" else line
    assert isinstance(read_instruction(json.dumps(line).encode()), Instruction)
    with pytest.raises(Unreadable):
        read_instruction(json.dumps({**line, field: "a\0b"}).encode())


@pytest.mark.parametrize("field", ["options", "deck", "return_deck"])
@pytest.mark.parametrize("nested", ['{"a":' * 300 + "1" + "}" * 300, '{"cards":' + "[" * 300 + "]" * 300 + "}"])
def test_values_as_deep_as_the_line_could_be_read_were_too_deep_for_what_came_after(field: str, nested: str) -> None:
    """The rules ended with a RecursionError: a traceback in the log, by whoever connects."""
    line = f'{{"do":"create","id":7,"game":"netrunner","{field}":{nested}}}'.encode()
    with pytest.raises(Unreadable) as refused:
        read_instruction(line)
    assert refused.value.re == 7
