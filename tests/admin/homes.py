"""A folder of its own for a test that runs `patchbay` as an admin does."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from server import config


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, logging_put_back: None) -> Iterator[Path]:
    for _, variable, _ in config.options():
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)
    before = os.umask(0o022)
    yield tmp_path
    os.umask(before)
