"""A folder of its own for a test that runs `patchbay` as an admin does."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from server import config


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for _, variable, _ in config.options():
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)
    before, handlers = os.umask(0o022), logging.getLogger().handlers[:]
    yield tmp_path
    os.umask(before)
    for handler in set(logging.getLogger().handlers) - set(handlers):
        handler.close()
    logging.getLogger().handlers[:] = handlers
    structlog.reset_defaults()
