"""docs/rules-on-the-command-line.md: every example is run, and prints what stands under it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from game.__main__ import COMMANDS, main
from game.contract import state_hash
from game.record import Record, write_record
from game.replay import Status
from game.rng import commitment
from tests.conformance.play import Case, game_of, header_of, moments, seed_of

PAGE = Path(__file__).parents[2] / "docs" / "rules-on-the-command-line.md"
TEXT = PAGE.read_text(encoding="utf-8")
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
ASK = "$ python -m game "


@dataclass(frozen=True, slots=True)
class Example:
    """One command of the page, what it prints (stdout and stderr), and its exit code."""

    command: str
    prints: str
    code: int = 0


def examples(page: str) -> Iterator[Example]:
    """Yield a page's examples in order."""
    for block in CONSOLE.findall(page):
        for asked in block.split(ASK)[1:]:
            command, _, said = asked.partition("\n")
            text, exits, code = said.partition("# exit ")
            yield Example(command, text, int(code) if exits else 0)


def match_record() -> str:
    """Return the record that the page replays: a match of Relati on a small board."""
    case, seed = Case("relati", 2, {"board": 5}), seed_of("page")
    log = list(moments(case, seed))
    end = log[-1].fold
    entries = tuple(moment.entry for moment in log if moment.entry)
    hashed = state_hash(game_of("relati"), end.state)
    record = Record(
        header_of(case, seed), ({}, {}), commitment(seed), None, entries, Status.FINISHED, end.result, hashed
    )
    return "\n".join(write_record(record))


@pytest.mark.parametrize(
    "example", list(examples(PAGE.read_text(encoding="utf-8"))), ids=lambda example: example.command[:50]
)
def test_the_page_tells_the_truth(
    example: Example, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "match.jsonl").write_text(match_record())
    check(example, capsys)


def check(example: Example, capsys: pytest.CaptureFixture[str]) -> None:
    """Run an example and compare what it prints, and its exit code."""
    command, _, only = example.command.partition(" | ")
    code = main(shlex.split(command))
    out, err = capsys.readouterr()
    said = out + err
    if only:
        said = said.splitlines()[{"head -1": 0, "tail -1": -1}[only]] + "\n"
    if not example.prints and example.code:
        assert out == ""
    else:
        assert said == example.prints
    assert code == example.code


def test_the_page_names_every_command() -> None:
    assert all(f"| `{command}" in TEXT for command in COMMANDS)
