"""The log: both styles, the file, and what never stands in it."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from server import log


@pytest.fixture(autouse=True)
def _put_logging_back() -> Iterator[None]:
    before = logging.getLogger().handlers[:], logging.raiseExceptions
    yield
    for handler in set(logging.getLogger().handlers) - set(before[0]):
        handler.close()
    logging.getLogger().handlers[:], logging.raiseExceptions = before
    structlog.reset_defaults()


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


def test_libraries_log_through_the_same_door() -> None:
    stream = io.StringIO()
    log.configure("json", stream=stream)
    logging.getLogger("somebody").warning("careful\x07 %s", "now")
    assert json.loads(stream.getvalue())["event"] == "careful now"
