"""The log: both styles, the file, and what never stands in it."""

from __future__ import annotations

import ast
import io
import json
import logging
import os
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from server import log

pytestmark = pytest.mark.usefixtures("logging_put_back")


def test_json_lines_hold_the_fields_and_no_secret(tmp_path: Path) -> None:
    stream = io.StringIO()
    log.configure("json", file=tmp_path / "logs" / "x.log", stream=stream)
    log.get_logger("test.json").info("match.began", match="m1", text="psst", hand="Ice Wall", name="\x1b[2Jeve")
    for line in (stream.getvalue(), (tmp_path / "logs" / "x.log").read_text()):
        found = json.loads(line)
        assert (found["event"], found["match"], found["name"], found["level"]) == (
            "match.began",
            "m1",
            "[2Jeve",
            "info",
        )
        assert not {"text", "hand"} & found.keys()


def test_text_lines_are_one_line_each_without_colour() -> None:
    stream = io.StringIO()
    log.configure("text", stream=stream)
    log.get_logger("test.text").warning("odd", who="a\nb")
    assert stream.getvalue().count("\n") == 1
    assert "\x1b" not in stream.getvalue()
    assert "a b" in stream.getvalue()


def test_an_exception_keeps_its_trace() -> None:
    stream = io.StringIO()
    log.configure("json", stream=stream)
    try:
        raise ValueError("what\x1b[0m went wrong")
    except ValueError:
        log.get_logger("test.trace").exception("failed")
    trace = json.loads(stream.getvalue())["exception"]
    assert "ValueError: what[0m went wrong" in trace
    assert "\n" in trace


def test_libraries_log_through_the_same_files_and_bounds() -> None:
    stream = io.StringIO()
    log.configure("json", stream=stream)
    logging.getLogger("somebody").warning("careful\x07 %s", "now")
    assert json.loads(stream.getvalue())["event"] == "careful now"


def lines(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_flood_of_lines_leaves_room_for_others_and_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file descriptor short, the server wrote 4,760 traces in seconds, and the disk was full."""
    stream, now = io.StringIO(), [0.0]
    monkeypatch.setattr(log, "time", SimpleNamespace(monotonic=lambda: now[0], time=time.time))
    log.configure("json", stream=stream)
    told = log.get_logger("test.flood")
    for n in range(10_000):
        told.info("knock", source=f"192.0.2.{n}")
        told.error("failed", exc_info=OSError(24, "Too many open files"))
    told.info("login", source="192.0.2.1")
    assert stream.getvalue().count("\n") < 2_500
    assert len(stream.getvalue()) < 1_000_000
    assert lines(stream)[-1]["event"] == "login"
    now[0] = 61.0
    told.info("knock", source="192.0.2.1")
    left_out, last = lines(stream)[-2:]
    assert (left_out["event"], last["event"]) == ("log.left-out", "knock")
    kept = sum(line["event"] in ("knock", "failed") for line in lines(stream)) - 1
    assert left_out["lines"] == 20_000 - kept


def test_the_worst_minute_is_less_than_a_megabyte() -> None:
    """Every line as long as those of logins are, and every trace as long as traces are."""
    per_line, per_trace = 400, 4_000
    traces = log.ERRORS_A_MINUTE // log.TRACE_LINES
    assert log.LINES_A_MINUTE * per_line + traces * per_trace < 1_000_000


def test_a_day_s_file_is_deleted_after_thirty_days(tmp_path: Path) -> None:
    """Addresses stood in the log until the file was full, on a quiet server for years."""
    now = [time.time()]
    handler = log.DailyFile(tmp_path / "patchbay.log", lambda: now[0])
    (tmp_path / "patchbay-7.log.3").write_text("of a worker that is no more")
    os.utime(tmp_path / "patchbay-7.log.3", (0, 0))
    handler.tidy()
    record = logging.LogRecord("x", logging.INFO, "", 0, "a line", (), None)
    for _ in range(2):
        handler.emit(record)
        handler.emit(record)
        now[0] += log.DAY_S
        for file in tmp_path.glob("*.log*"):
            os.utime(file, (file.stat().st_mtime - log.DAY_S,) * 2)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["patchbay.log", "patchbay.log.1"]
    assert all(file.read_text() == "a line\na line\n" for file in tmp_path.iterdir())
    now[0] += (log.DAYS_KEPT - 3.5) * log.DAY_S
    handler.tidy()
    assert [file.read_text() for file in sorted(tmp_path.iterdir())] == ["", "a line\na line\n"], "without a line, too"
    now[0] += log.DAY_S
    handler.tidy()
    assert [file.read_text() for file in tmp_path.iterdir()] == [""]
    handler.close()


def test_no_line_names_a_field_that_is_left_out() -> None:
    """How a worker had ended was given as `code`, and stood in no log."""
    named = [
        f"{file.name}:{call.lineno}: {keyword.arg}"
        for file in sorted(Path(log.__file__).parent.rglob("*.py"))
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func).startswith("log.")
        for keyword in call.keywords
        if keyword.arg in log.SECRET_FIELDS
    ]
    assert named == []
