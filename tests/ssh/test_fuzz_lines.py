"""Fuzzing command lines: iterations as stated, the seed printed, and first some bugs planted for the fuzzer."""

from __future__ import annotations

import random
import shlex
from collections.abc import Callable
from dataclasses import replace

import pytest

from game.cli.commandline import CommandLine, CommandOption, Syntax, read
from game.errors import BadNotation
from server.ssh.commands.all import TABLE
from server.ssh.commands.table import split
from tests import seeds
from tests.hostile.nasty import SEQUENCES
from tests.server.test_sanitize_fuzz import complaint

COMMAND_LINES = 4_000
LINE_WORDS = (
    *TABLE,
    *(
        "--json",
        "--live",
        "--as",
        "--game",
        "rainet",
        "--after",
        "--speed=5",
        "--format",
        "cast",
        "--yes",
        "--",
        "-",
        "m1",
    ),
    *(
        "''",
        '"',
        "'",
        "\\",
        "$(id)",
        "`id`",
        ";",
        "|",
        "&&",
        "\n",
        "--as=",
        "--=x",
        "--json=1",
        "ß" * 300,
        "%s",
        "\x00",
    ),
    *SEQUENCES,
)


Reader = Callable[[Syntax, str], CommandLine]


def read_line(syntax: Syntax, line: str) -> CommandLine:
    return read(syntax, split(line))


def fuzz_lines(reader: Reader, iterations: int, seed: int) -> str | None:
    """Return the first line that is read into something no command asked for, or breaks the reader."""
    rng = random.Random(seed)
    for _ in range(iterations):
        command = TABLE[rng.choice(list(TABLE))]
        line = " ".join(rng.choice(LINE_WORDS) for _ in range(rng.randrange(6)))
        try:
            words = reader(command.syntax, line)
        except BadNotation:
            continue
        except Exception as error:
            return f"{line!r}: {error!r}"
        for text in (*words.words, *(value for values in words.options.values() for value in values)):
            if found := complaint(text, 4096):
                return f"{line!r}: {text!r}: {found}"
        if not words.options.keys() | words.flags <= {option.name for option in command.syntax.options}:
            return f"{line!r}: {words}"
        if command.syntax.most is not None and len(words.words) > command.syntax.most:
            return f"{line!r}: too many words"
    return None


def unsanitised(syntax: Syntax, line: str) -> CommandLine:
    try:
        return read(syntax, shlex.split(line))
    except ValueError:
        raise BadNotation("usage.quote") from None


def quoteless(syntax: Syntax, line: str) -> CommandLine:
    return read(syntax, split(line) if "'" not in line else shlex.split(line))


def lenient(syntax: Syntax, line: str) -> CommandLine:
    return read_line(replace(syntax, options=(*syntax.options, CommandOption("speed"), CommandOption("json"))), line)


def test_any_line_is_words_or_a_usage_error() -> None:
    assert fuzz_lines(read_line, COMMAND_LINES, seeds.drawn()) is None


@pytest.mark.parametrize("planted", [unsanitised, quoteless, lenient])
def test_the_line_fuzzer_finds_a_planted_bug(planted: Reader) -> None:
    assert fuzz_lines(planted, COMMAND_LINES, 1) is not None
