"""Records: written and read back, verified, and everything that may be wrong with one."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from game.contract import Json, state_hash
from game.errors import BadNotation
from game.record import Record, read_record, verify, write_record
from game.replay import Status
from game.rng import commitment
from tests.conformance.play import Case, header_of, moments
from tests.conformance.tiny.rules import GAME

SEED = bytes(range(32))


def record(n_seats: int = 3) -> Record:
    """Play a match at random and return its record."""
    case = Case("tiny", n_seats, {"rounds": 3})
    log = list(moments(case, SEED, disturbed=True))
    end = log[-1].fold
    seats = tuple({"seat": i, "player": f"p{i}", "rating": None} for i in range(n_seats))
    return Record(
        header_of(case, SEED),
        seats,
        commitment(SEED),
        "2026-01-01T00:00:00Z",
        tuple(moment.entry for moment in log if moment.entry),
        Status.FINISHED,
        end.result,
        state_hash(GAME, end.state),
        "m1",
    )


LINES = list(write_record(record()))


def changed(i: int, change: Callable[[dict[str, Any]], object]) -> list[str]:
    """Return the lines of the record with line i changed."""
    row = json.loads(LINES[i])
    change(row)
    return [*LINES[:i], json.dumps(row), *LINES[i:][1:]]


def test_a_record_is_read_as_it_was_written() -> None:
    assert read_record(LINES) == record()
    assert list(write_record(read_record(LINES))) == LINES


def test_what_a_terminal_would_obey_is_escaped_and_reads_back_the_same() -> None:
    """C1 controls, bidi overrides and line separators in what a seat had brought were printed as they were."""
    nasty = "\x9b31mred\x9b2J \u202e \x9d0;title\x9c \u2028\x7f\u200b"
    brought: dict[str, Json] = {"deck": {"note": nasty, nasty: 1}}
    seats = tuple({**seat, "options": brought} for seat in record().seats)
    lines = list(write_record(replace(record(), seats=seats)))
    assert all(line.isprintable() for line in lines)
    assert read_record(lines).seats == seats
    assert list(write_record(read_record(lines))) == lines


def test_the_lines_have_the_promised_shape() -> None:
    first, *entries, last = map(json.loads, LINES)
    assert list(first) == [
        *("v", "type", "game", "rules_version", "match", "options", "seats", "seed", "commitment", "started")
    ]
    assert (first["v"], first["type"], first["game"], first["rules_version"]) == (1, "record", "tiny", 1)
    assert first["seed"] == SEED.hex()
    assert [row["seq"] for row in entries] == list(range(1, len(entries) + 1))
    assert last["type"] == "result"
    assert len(last["state_hash"]) == 64


def test_a_true_record_agrees() -> None:
    assert verify(read_record(LINES)).agrees
    assert verify(read_record([*LINES, ""])).agrees


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (changed(0, lambda row: row.update(seed="ab" * 32)), "commitment"),
        (changed(0, lambda row: row.update(commitment="ab" * 32)), "commitment"),
        (changed(-1, lambda row: row.update(state_hash="ab" * 32)), "state_hash"),
        (changed(-1, lambda row: row["result"]["placements"].reverse()), "result"),
        (changed(-1, lambda row: row["result"].update(reason="other")), "result"),
        (changed(-1, lambda row: row.update(status="void")), "status"),
        (changed(-2, lambda row: row.update(kind="resumed", action=None)), "entry"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_changed_record_differs(lines: list[str], what: str) -> None:
    verdict = verify(read_record(lines))
    assert not verdict.agrees
    assert any(said.startswith(what) for said in verdict.differs), verdict.differs


@pytest.mark.parametrize(
    "lines",
    [
        [],
        LINES[:1],
        LINES[:-1],
        LINES[1:],
        [*LINES[:2], *LINES[3:]],
        [*LINES[:-2], LINES[-1]],
        [LINES[0], LINES[2], LINES[1], *LINES[3:]],
        [*LINES[:2], LINES[1], *LINES[2:]],
        [*LINES, LINES[-1]],
        [*LINES[:3], "{", *LINES[3:]],
        [*LINES[:3], "[]", *LINES[3:]],
        ["[" * 100_000, *LINES[1:]],
        changed(0, lambda row: row.update(v=2)),
        changed(0, lambda row: row.update(game="chess")),
        changed(0, lambda row: row.update(rules_version=99)),
        changed(0, lambda row: row.update(seed="ab")),
        changed(0, lambda row: row.update(seats=[])),
        changed(0, lambda row: row.update(seats=[{"seat": 1}, {"seat": 0}, {"seat": 2}])),
        changed(0, lambda row: row.update(options={"size": 3})),
        changed(0, lambda row: row.update(started="yesterday")),
        changed(0, lambda row: row.pop("commitment")),
        changed(1, lambda row: row.update(seat=7)),
        changed(1, lambda row: row.update(seat="0")),
        changed(1, lambda row: row.update(seat=True)),
        changed(1, lambda row: row.update(seq=True)),
        changed(0, lambda row: row.update(v=True)),
        changed(0, lambda row: row.update(rules_version=True)),
        changed(0, lambda row: row["seats"][1].update(seat=True)),
        changed(1, lambda row: row.update(kind="danced")),
        changed(1, lambda row: row.update(action="hop 3")),
        changed(1, lambda row: row.update(action=None)),
        changed(1, lambda row: row.update(at="12:00")),
        changed(-1, lambda row: row.update(result={"placements": [[9]], "reason": "x"})),
        changed(-1, lambda row: row.update(result={"placements": [[2], [True], [0]], "reason": "x"})),
        changed(-1, lambda row: row.update(status="live")),
        changed(-1, lambda row: row.pop("state_hash")),
    ],
)
def test_what_cannot_be_read_or_has_gaps_is_refused(lines: list[str]) -> None:
    with pytest.raises(BadNotation):
        verify(read_record(lines))


def test_a_record_without_version_marks_on_its_entries_is_read_too() -> None:
    bare = [LINES[0]]
    for line in LINES[1:-1]:
        row = json.loads(line)
        bare.append(json.dumps({name: value for name, value in row.items() if name not in ("v", "type")}))
    assert verify(read_record([*bare, LINES[-1]])).agrees
