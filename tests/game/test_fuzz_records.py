"""Fuzzing the import of records: broken and forged files are refused or differ; what agrees is the true match."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from game.errors import BadNotation
from game.record import Verdict, read_record, verify
from tests import seeds
from tests.game.test_fuzz_command_line import broken_json, broken_text
from tests.game.test_record import LINES

RECORDS = 1_500
Verify = Callable[[Sequence[str]], Verdict]
TOLD = ("v", "type", "match", "seats", "started", "at")  # not played by: a change there may go unnoticed


def mutated(rng: random.Random) -> list[str]:
    """Return the lines of a true record with something wrong, or nothing."""
    lines = list(LINES)
    for _ in range(rng.randrange(3)):
        i = rng.choice((0, len(lines) - 1, rng.randrange(len(lines))))
        match rng.randrange(6):
            case 0:
                del lines[i]
            case 1:
                lines.insert(i, rng.choice(lines))
            case 2:
                lines[i] = broken_text(lines[i], rng)
            case 3:
                lines[i], lines[i - 1] = lines[i - 1], lines[i]
            case 4:
                lines[i] = rng.choice(("[" * 5000, "{}", "null", '"', "1e999", "\ud800", '{"v":1}', "\x00"))
            case _:
                try:
                    lines[i] = json.dumps(broken_json(json.loads(lines[i]), rng))
                except (ValueError, RecursionError, TypeError):
                    lines[i] = broken_text(lines[i], rng)
        if not lines:
            return lines
    return lines


def played(lines: Sequence[str]) -> list[Any]:
    """Return what a record is played by."""
    rows = [json.loads(line) for line in lines if line.strip()]
    return [{name: value for name, value in row.items() if name not in TOLD} for row in rows]


def fuzz(verify: Verify, iterations: int, seed: int) -> str | None:
    """Return the first file that breaks the reader, or that agrees although another match is written there."""
    rng, true, agreed = random.Random(seed), played(LINES), 0
    for _ in range(iterations):
        lines = mutated(rng)
        try:
            verdict = verify(lines)
        except BadNotation:
            continue
        except Exception as error:
            return f"{lines!r}: {error!r}"
        if verdict.agrees:
            agreed += 1
            try:
                is_true = _moves(played(lines)) == _moves(true)
            except (ValueError, LookupError, AttributeError, RecursionError):
                is_true = False
            if not is_true:
                return f"{lines!r} agrees"
        elif list(lines) == LINES:
            return "the true record differs"
    return None if agreed else "nothing ever agreed"


def _moves(rows: list[Any]) -> list[Any]:
    first, *entries, last = rows
    moves = [(row.get("kind"), row.get("seat"), row.get("action")) for row in entries]
    return [first["seed"], first["commitment"], moves, last["result"], last["state_hash"]]


def test_no_file_breaks_the_reader_and_no_forged_one_agrees() -> None:
    seed = seeds.drawn()
    assert fuzz(lambda lines: verify(read_record(lines)), RECORDS, seed) is None


def trusts_the_hash(lines: Sequence[str]) -> Verdict:
    found = verify(read_record(lines))
    return Verdict(tuple(what for what in found.differs if not what.startswith(("state_hash", "result"))))


def trusts_json(lines: Sequence[str]) -> Verdict:
    for line in lines:
        json.loads(line)
    return verify(read_record(lines))


def skips_what_it_does_not_know(lines: Sequence[str]) -> Verdict:
    try:
        return verify(read_record(lines))
    except BadNotation:
        return Verdict(())


def expects_fields(lines: Sequence[str]) -> Verdict:
    verdict = verify(read_record(lines))
    read_record(lines).seats[0]["player"]
    json.loads(lines[0])["match"]
    return verdict


@pytest.mark.parametrize("planted", [trusts_the_hash, trusts_json, skips_what_it_does_not_know, expects_fields])
def test_the_fuzzer_finds_a_planted_bug(planted: Verify) -> None:
    assert fuzz(planted, RECORDS, seed=1) is not None
