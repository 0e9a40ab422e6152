"""What the logs of servers that tests start say went wrong: a test fails by each error that it has not named.

`watch` begins with a log, the fixture in conftest.py reads on after each test, and `@pytest.mark.logs("match.broken")`
names what a test expects. A log that goes away with its folder is `read_out` before.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

RECORD = re.compile(r'^\S+ \[(\w+) *\] |^\{.*"level": ?"(\w+)"')  # a line in either style begins a record
TRACEBACK = "Traceback (most recent call last)"
_read: dict[Path, int] = {}  # how many characters of each log were read
_found: list[str] = []  # in logs that are gone


def watch(log: Path) -> None:
    """Read this log from now on; it may not exist yet."""
    _read.setdefault(log, len(_text(log)))


def read_out(log: Path) -> None:
    """Read a log for the last time, and keep what it says for `problems`."""
    _found.extend(_unread(log))
    _read.pop(log, None)


class _Keeper(logging.Handler):
    """Keeps the callbacks that failed in the loop of the tests' own process.

    What the garbage collector finds (a task nobody awaited) is told during some later test: not kept.
    """

    def emit(self, record: logging.LogRecord) -> None:
        if (said := self.format(record)).startswith("Exception in callback"):
            _found.append(said)


@contextmanager
def loop_watched() -> Iterator[None]:
    """Keep the loop's failed callbacks for `problems`."""
    keeper = _Keeper(logging.ERROR)
    logging.getLogger("asyncio").addHandler(keeper)
    try:
        yield
    finally:
        logging.getLogger("asyncio").removeHandler(keeper)


def problems(expected: Iterable[str] = ()) -> list[str]:
    """Return the records of errors since the last call, without those that hold one of the expected texts."""
    found = [*_found, *(record for log in list(_read) for record in _unread(log))]
    _found.clear()
    return [record for record in found if not any(text in record for text in expected)]


def _unread(log: Path) -> list[str]:
    text, known = _text(log), _read[log]
    if len(text) < known:  # it is gone, with its folder
        del _read[log]
    else:
        _read[log] = len(text)
    return errors_in(text[known:])


def errors_in(text: str) -> list[str]:
    """Return the records that are errors or worse, or hold a traceback.

    >>> errors_in("2026-01-01T00:00:00Z [error    ] task.failed  [tasks] task=x" + chr(10) + "Traceback …")
    ['2026-01-01T00:00:00Z [error    ] task.failed  [tasks] task=x\\nTraceback …']
    >>> errors_in('{"event": "session.end", "level": "info"}')
    []
    """
    return [record for level, record in _records(text) if level in ("error", "critical") or TRACEBACK in record]


def _records(text: str) -> Iterator[tuple[str, str]]:
    """Yield the records of a log with their levels; what no record begins with has none."""
    level, lines = "", list[str]()
    for line in text.splitlines():
        if (begins := RECORD.match(line)) is not None:
            yield level, "\n".join(lines)
            level, lines = begins[1] or begins[2], []
        lines.append(line)
    yield level, "\n".join(lines)


def _text(log: Path) -> str:
    try:
        return log.read_text(errors="replace")
    except FileNotFoundError:
        return ""
