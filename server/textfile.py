"""Text files of an admin's, read again when they change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from server.log import get_logger

log = get_logger("files")
T = TypeVar("T")
MOST_BYTES = 1_048_576


class WatchedFile(Generic[T]):
    """What a small text file says. One that can't be read any more counts as it was; the log says so, once."""

    def __init__(self, path: Path, read: Callable[[str], T]) -> None:
        """`read`: makes a value of the text; raises ValueError where it can't. Raises OSError, ValueError."""
        self._path = path
        self._read = read
        self._seen = self._state()
        self._value = self._load()

    @property
    def value(self) -> T:
        """Return what the file says now."""
        try:
            state = self._state()
            if state != self._seen:
                self._seen = state
                self._value = self._load()
                log.info("file.read", file=str(self._path))
        except (OSError, ValueError) as error:
            if self._seen is not None:
                self._seen = None
                log.warning("file.unreadable", file=str(self._path), why=str(error))
        return self._value

    def _state(self) -> tuple[int, ...] | None:
        found = self._path.stat()
        return found.st_mtime_ns, found.st_size, found.st_ino

    def _load(self) -> T:
        with self._path.open("rb") as file:
            return self._read(file.read(MOST_BYTES).decode("utf-8"))
