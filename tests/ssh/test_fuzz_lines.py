"""Fuzzing command lines: iterations as stated, the seed printed, and first some bugs planted for the fuzzer."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from server.ssh.commands.all import TABLE
from server.ssh.commands.words import Spec, UsageError, Words, read, split
from tests import seeds
from tests.hostile.nasty import SEQUENCES
from tests.server.test_words_fuzz import complaint

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


Reader = Callable[[Spec, str], Words]


def read_line(spec: Spec, line: str) -> Words:
    return read(spec, split(line)[1:])


def fuzz_lines(reader: Reader, iterations: int, seed: int) -> str | None:
    """Return the first line that is read into something no command asked for, or breaks the reader."""
    rng = random.Random(seed)
    for _ in range(iterations):
        command = TABLE[rng.choice(list(TABLE))]
        line = " ".join([command.name, *(rng.choice(LINE_WORDS) for _ in range(rng.randrange(6)))])
        try:
            words = reader(command.spec, line)
        except UsageError:
            continue
        except Exception as error:
            return f"{line!r}: {error!r}"
        for text in (*words.words, *words.options.values()):
            if found := complaint(text, 4096):
                return f"{line!r}: {text!r}: {found}"
        if not (set(words.options) <= set(command.spec.options) and words.flags <= set(command.spec.flags)):
            return f"{line!r}: {words}"
        if len(words.words) > len(command.spec.words) and not command.spec.rest:
            return f"{line!r}: too many words"
    return None


def unsanitised(spec: Spec, line: str) -> Words:
    import shlex

    try:
        return read(spec, shlex.split(line)[1:])
    except ValueError:
        raise UsageError("a quote is not closed") from None


def quoteless(spec: Spec, line: str) -> Words:
    import shlex

    return read(spec, split(line)[1:] if "'" not in line else shlex.split(line)[1:])


def lenient(spec: Spec, line: str) -> Words:
    found = read_line(Spec(spec.words, spec.options, (*spec.flags, "speed", "json"), spec.rest), line)
    return found


def test_any_line_is_words_or_a_usage_error() -> None:
    assert fuzz_lines(read_line, COMMAND_LINES, seeds.drawn()) is None


@pytest.mark.parametrize("planted", [unsanitised, quoteless, lenient])
def test_the_line_fuzzer_finds_a_planted_bug(planted: Reader) -> None:
    assert fuzz_lines(planted, COMMAND_LINES, 1) is not None
