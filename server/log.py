"""The server's log: structured lines to stderr and to a file in the data directory.

Fields are sanitised and bounded here, so no caller has to think of it. What people say, hold or will draw is never
logged: fields of those names are dropped even where a caller slips.
"""

from __future__ import annotations

import logging
import logging.handlers
import sys
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any, TextIO

import structlog

from server.words import clean

SECRET_FIELDS = frozenset(
    ("text", "say", "chat", "action", "view", "state", "seed", "hand", "deck", "code", "password", "private_key")
)
MAX_FIELD_CHARS = 400
FILE_BYTES = 10 * 1024 * 1024
FILES_KEPT = 5
Fields = MutableMapping[str, Any]
Logger = structlog.stdlib.BoundLogger


def get_logger(name: str) -> Logger:
    """Return the logger of one part of the server, e.g. `get_logger("matches")`; fields are keyword arguments."""
    return structlog.stdlib.get_logger(name)


def configure(style: str, level: str = "info", file: Path | None = None, stream: TextIO | None = None) -> None:
    """Send every log line, the libraries' too, to `stream` (stderr) as `style` and to `file` as JSON."""
    screen = logging.StreamHandler(stream or sys.stderr)
    screen.setFormatter(_formatter(style))
    handlers: list[logging.Handler] = [screen]
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        keeper = logging.handlers.RotatingFileHandler(
            file, maxBytes=FILE_BYTES, backupCount=FILES_KEPT, encoding="utf-8"
        )
        keeper.setFormatter(_formatter("json"))
        handlers.append(keeper)
    logging.basicConfig(level=level.upper(), handlers=handlers, force=True)
    logging.raiseExceptions = False  # a full disk must not fill the terminal, nor stop anybody
    for name in ("asyncssh", "sqlalchemy.engine", "alembic"):
        logging.getLogger(name).setLevel(logging.WARNING)
    structlog.configure(
        processors=[*_shared(), structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )


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
    """Leave out fields that could hold chat, hidden cards or keys."""
    for name in SECRET_FIELDS & fields.keys():
        del fields[name]
    return fields


def clean_fields(logger: Any, method: str, fields: Fields) -> Fields:
    """Make every text a bounded, printable line; an exception's trace keeps its lines."""
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
