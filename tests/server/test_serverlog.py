"""The net under all tests: errors in a server's log, and of the tests' own loop, are noticed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from server import log
from tests import serverlog

TEXT = "2026-11-25T07:52:38.189209Z [error    ] task.failed                    [tasks] task=draw"
JSON = '{"event": "match.broken", "level": "critical", "match": "m1"}'
TRACE = "Traceback (most recent call last):\n  File x\nIndexError: pop from an empty deque"
FINE = "2026-11-25T07:52:39.000000Z [info     ] error.free  [tasks] level=error"


@pytest.mark.usefixtures("logging_put_back")
@pytest.mark.parametrize("style", ["text", "json"])
def test_what_the_server_logs_as_an_error_is_found_in_either_style(style: str, tmp_path: Path) -> None:
    with (tmp_path / "log").open("w") as stream:
        log.configure(style, stream=stream)
        log.get_logger("tests").warning("odd")
        log.get_logger("tests").error("broken", match="m1")
    [found] = serverlog.errors_in((tmp_path / "log").read_text())
    assert "broken" in found
    assert "odd" not in found


def test_errors_are_told_once_and_those_that_a_test_expects_are_not(tmp_path: Path) -> None:
    file = tmp_path / "log"
    serverlog.watch(file)
    assert serverlog.problems() == []
    file.write_text(f"{FINE}\n{TEXT}\n{TRACE}\n{FINE}\n{JSON}\n")
    assert serverlog.problems(["task.failed"]) == [JSON]
    assert serverlog.problems() == []
    with file.open("a") as more:
        more.write(f"{TRACE}\n")
    serverlog.read_out(file)
    file.unlink()
    assert serverlog.problems() == [TRACE], "also where no line of the log begins it, and the log is gone"


async def test_a_callback_that_fails_in_the_tests_own_loop_is_an_error_too() -> None:
    asyncio.get_running_loop().call_soon(lambda: [].pop())
    await asyncio.sleep(0)
    [found] = serverlog.problems()
    assert "IndexError" in found
