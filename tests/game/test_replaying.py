"""`python -m game replay`: a record played again, and any moment of it looked at."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from game.__main__ import main
from game.record import write_record
from tests.game.test_record import LINES, changed, record


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "match.jsonl"
    path.write_text("\n".join(LINES) + "\n")
    return path


def test_a_true_record_agrees(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(file)]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "agrees"
    assert main(["replay", str(file), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said == {"v": 1, "type": "verdict", "agrees": True, "differs": [], "entries": len(LINES) - 2}


def test_a_changed_one_differs(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("\n".join(changed(-1, lambda row: row.update(state_hash="ab" * 32))))
    assert main(["replay", str(file)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "differs"
    assert out[1].startswith("  state_hash: ")


@pytest.mark.parametrize("gap", [1, len(LINES) // 2, len(LINES) - 2, len(LINES) - 1])
def test_one_with_a_gap_cannot_be_read(file: Path, gap: int, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("\n".join([*LINES[:gap], *LINES[gap:][1:]]))
    assert main(["replay", str(file)]) == 2
    assert capsys.readouterr().out == ""


def test_a_file_that_is_no_text_cannot_be_read(file: Path) -> None:
    file.write_bytes(b"\xff\xfe\x00")
    assert main(["replay", str(file)]) == 2


def test_any_moment_can_be_looked_at_from_any_seat(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(file), "--until", "1", "--as", "B", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["type"], said["seq"]) == ("view", 1)
    hands = said["view"]["position"]["hands"]
    assert [isinstance(hand, list) for hand in hands] == [False, True, False]
    assert main(["replay", str(file), "--until", "0", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["type"], said["seq"], said["events"][0]["kind"]) == ("position", 0, "round")
    assert main(["replay", str(file), "--as", "public"]) == 0
    assert capsys.readouterr().out.startswith('{"players": 3')


@pytest.mark.parametrize("words", [("--until", "9999"), ("--until", "x"), ("--as", "nobody")])
def test_there_is_no_such_moment_or_seat(file: Path, words: tuple[str, ...]) -> None:
    assert main(["replay", str(file), *words]) == 2


def test_a_voided_match_can_be_verified(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [json.loads(line) for line in write_record(record())]
    last_seq = rows[-2]["seq"]
    rows.insert(-1, {"v": 1, "type": "entry", "seq": last_seq + 1, "kind": "void"})
    rows[-1] |= {"seq": last_seq + 1, "status": "void", "result": None}
    file.write_text("\n".join(map(json.dumps, rows)))
    assert main(["replay", str(file)]) == 0
    assert "void" in capsys.readouterr().out
