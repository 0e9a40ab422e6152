"""The server's log: structured lines to stderr and to files in the data directory, a file a day.

Fields are sanitised and bounded here, not by callers. Chat, hidden cards and seeds are never logged: fields of those
names are dropped.
"""

from __future__ import annotations

import contextlib
import logging
import logging.handlers
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any, TextIO

import structlog

from server.sanitize import clean

SECRET_FIELDS = frozenset(
    ("text", "say", "chat", "action", "view", "state", "seed", "hand", "deck", "code", "password", "private_key")
)
MAX_FIELD_CHARS = 400
DAY_S = 86_400
FILE_BYTES = 10 * 1024 * 1024
FILES_KEPT = 60  # besides the current one
DAYS_KEPT = 30  # docs/operations.md: how long addresses are kept
LINES_A_MINUTE = 2000  # of one process, without errors: an attack must not fill the disk
ERRORS_A_MINUTE = 300
EVENT_SHARE = 4  # no event may take more than this fraction of them
TRACE_LINES = 20  # how many lines a traceback counts as
LEFT_OUT = "log.left-out"
SAY_EVERY_S = 60.0  # between two throttled warnings of one kind
Fields = MutableMapping[str, Any]
Logger = structlog.stdlib.BoundLogger


def get_logger(name: str) -> Logger:
    """Return the logger of one part of the server, e.g. `get_logger("matches")`; fields are keyword arguments."""
    return structlog.stdlib.get_logger(name)


def configure(
    style: str, level: str = "info", file: Path | None = None, stream: TextIO | None = None, processes: int = 1
) -> None:
    """Send every log line, the libraries' too, to `stream` (stderr) as `style` and to `file` as JSON.

    `processes` share the lines a minute. Files are kept for DAYS_KEPT days.
    """
    screen = logging.StreamHandler(stream or sys.stderr)
    screen.setFormatter(_formatter(style))
    handlers: list[logging.Handler] = [screen]
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        keeper = DailyFile(file)
        keeper.setFormatter(_formatter("json"))
        handlers.append(keeper)
    budget = Budget(processes, time.monotonic)
    for handler in handlers:
        handler.addFilter(budget)
    logging.basicConfig(level=level.upper(), handlers=handlers, force=True)
    logging.raiseExceptions = False  # a full disk must neither flood the terminal nor stop the server
    for name in ("asyncssh", "sqlalchemy.engine", "alembic"):
        logging.getLogger(name).setLevel(logging.WARNING)
    structlog.configure(
        processors=[*_shared(), structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
    )


def configure_beside(style: str, file: Path) -> None:
    """Log as a command beside a running server: errors to stderr, everything to the server's file if there is one.

    What is a warning to a server, a command says in its own words.
    """
    configure(style, "info")
    root = logging.getLogger()
    for handler in root.handlers:
        handler.setLevel(logging.ERROR)
    if os.access(file, os.W_OK):
        keeper = logging.FileHandler(file, encoding="utf-8")
        keeper.setFormatter(_formatter("json"))
        root.addHandler(keeper)


class ThrottledWarning:
    """Writes a warning at most once a minute, with the number of occurrences since the last one."""

    def __init__(self, log: Logger, now: Callable[[], float]) -> None:
        """`now`: monotonic seconds."""
        self._log = log
        self._now = now
        self._said_at = float("-inf")
        self._times = 0

    def say(self, what: str, **fields: object) -> bool:
        """Log a warning, unless there was one within the last minute; return whether it was logged."""
        self._times += 1
        if self._now() - self._said_at >= SAY_EVERY_S:
            self._log.warning(what, times=self._times, **fields)
            self._said_at, self._times = self._now(), 0
            return True
        return False


class DailyFile(logging.handlers.RotatingFileHandler):
    """A file that rotates daily (UTC) and at FILE_BYTES; files older than DAYS_KEPT are deleted."""

    def __init__(self, file: Path, wall: Callable[[], float] = time.time) -> None:
        super().__init__(file, maxBytes=FILE_BYTES, backupCount=FILES_KEPT, encoding="utf-8")
        self._wall = wall
        self._day = _day(file.stat().st_mtime)
        self.tidy()

    def shouldRollover(self, record: logging.LogRecord) -> bool:
        """Tell whether to rotate before a line."""
        return _day(self._wall()) != self._day or bool(super().shouldRollover(record))

    def doRollover(self) -> None:
        """Rotate."""
        super().doRollover()
        self._day = _day(self._wall())

    def tidy(self) -> None:
        """Rotate if the day is over, and delete old files, also those of former workers."""
        file, now = Path(self.baseFilename), self._wall()
        if _day(now) != self._day and file.stat().st_size:
            self.acquire()
            try:
                self.doRollover()
            finally:
                self.release()
        for old in file.parent.glob("*.log*"):
            with contextlib.suppress(OSError):
                if old != file and old.stat().st_mtime < now - DAYS_KEPT * DAY_S:
                    old.unlink()


def tidy() -> None:
    """Rotate this process's log files and delete old ones; called once a day, also if nothing is logged."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, DailyFile):
            handler.tidy()


def _day(moment: float) -> int:
    return int(moment // DAY_S)


class Budget(logging.Filter):
    """Limits the lines a minute, by event, and logs how many were left out when the minute is over.

    It filters before every handler and decides once for each line. A line is about 300 bytes, rarely 1,000.
    """

    def __init__(self, processes: int, monotonic: Callable[[], float]) -> None:
        super().__init__()
        self._lines = max(40, LINES_A_MINUTE // processes)
        self._errors = max(40, ERRORS_A_MINUTE // processes)
        self._monotonic = monotonic
        self._began = monotonic()
        self._taken: Counter[str] = Counter()  # lines, by event and in all
        self._left_out: Counter[str] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a line is written."""
        passes: bool | None = getattr(record, "passes", None)
        if passes is None:
            passes = record.passes = self._take(record)
        return passes

    def _take(self, record: logging.LogRecord) -> bool:
        event = _event_of(record)
        if event == LEFT_OUT:
            return True
        if self._monotonic() >= self._began + 60:
            self._begin()
        is_error = record.levelno >= logging.ERROR
        kind, most = ("errors", self._errors) if is_error else ("lines", self._lines)
        lines = TRACE_LINES if _has_trace(record) else 1
        of_event = f"{record.name} {event}"
        if self._taken[kind] + lines > most or self._taken[of_event] + lines > max(lines, most // EVENT_SHARE):
            self._left_out[event] += 1
            return False
        self._taken[kind] += lines
        self._taken[of_event] += lines
        return True

    def _begin(self) -> None:
        left_out, self._left_out = self._left_out, Counter()
        self._began = self._monotonic()
        self._taken.clear()
        if left_out:
            most = ", ".join(f"{event}: {n}" for event, n in left_out.most_common(5))
            get_logger("log").warning(LEFT_OUT, lines=left_out.total(), of=most)


def _event_of(record: logging.LogRecord) -> str:
    said = record.msg.get("event") if isinstance(record.msg, dict) else record.msg
    return str(said)[:60]


def _has_trace(record: logging.LogRecord) -> bool:
    return bool(record.exc_info) or (isinstance(record.msg, dict) and "exception" in record.msg)


def _shared() -> list[structlog.typing.Processor]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.filter_by_level,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        drop_secrets,
        clean_fields,
    ]


def _formatter(style: str) -> logging.Formatter:
    renderer: structlog.typing.Processor
    if style == "json":
        renderer = structlog.processors.JSONRenderer(sort_keys=True)
    else:
        renderer = structlog.dev.ConsoleRenderer(colors=False)
    foreign = [processor for processor in _shared() if processor is not structlog.stdlib.filter_by_level]
    return structlog.stdlib.ProcessorFormatter(
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        foreign_pre_chain=foreign,
    )


def drop_secrets(logger: Any, method: str, fields: Fields) -> Fields:
    """Drop fields that could hold chat, hidden cards or keys."""
    for name in SECRET_FIELDS & fields.keys():
        del fields[name]
    return fields


def clean_fields(logger: Any, method: str, fields: Fields) -> Fields:
    """Make every text a bounded, printable line; a traceback keeps its lines."""
    for name, value in fields.items():
        if name == "exception":
            fields[name] = "\n".join(_clean_trace_line(line) for line in str(value).splitlines()[-60:])
        elif isinstance(value, str):
            fields[name] = clean(value, MAX_FIELD_CHARS)
        elif not isinstance(value, bool | int | float | None) and not name.startswith("_"):
            fields[name] = clean(repr(value), MAX_FIELD_CHARS)
    return fields


def _clean_trace_line(line: str) -> str:
    return " " * min(40, len(line) - len(line.lstrip(" "))) + clean(line, MAX_FIELD_CHARS)
