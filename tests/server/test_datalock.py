"""The lock that one server has on an embedded database."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from server.datalock import AnotherServer, exclusive
from tests.waiting import PATIENCE_S


def test_one_has_it_and_the_next_when_that_one_is_through(tmp_path: Path) -> None:
    file = tmp_path / "var" / "patchbay.db"
    with exclusive(file):
        said = rf"\(process {os.getpid()}\) has .*patchbay.db, and only one can"
        with pytest.raises(AnotherServer, match=said), exclusive(file, wait_s=0):
            raise AssertionError("both had it")
        with exclusive(tmp_path / "other.db"):
            pass
    with exclusive(file, wait_s=0):
        pass
    assert (file.parent / "patchbay.db.lock").stat().st_mode & 0o77 == 0


def test_it_is_one_lock_by_whatever_name_the_file_is_reached(tmp_path: Path) -> None:
    (tmp_path / "var").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "var")
    here, there = tmp_path / "var" / "patchbay.db", tmp_path / "link" / "patchbay.db"
    with exclusive(here), pytest.raises(AnotherServer), exclusive(there, wait_s=0):
        raise AssertionError("both had it")


def test_a_server_that_is_just_ending_is_waited_for(tmp_path: Path) -> None:
    file, said = tmp_path / "patchbay.db", list[str]()
    told, has_begun = threading.Event(), threading.Event()

    def tell(text: str) -> None:
        said.append(text)
        told.set()

    def begin() -> None:
        with exclusive(file, PATIENCE_S, tell):
            has_begun.set()

    with exclusive(file):
        later = threading.Thread(target=begin)
        later.start()
        assert told.wait(PATIENCE_S)
        assert not has_begun.is_set()
    later.join(PATIENCE_S)
    assert has_begun.is_set()
    assert len(said) == 1
    assert "trying again" in said[0]


def test_a_database_that_many_share_is_not_locked() -> None:
    with exclusive(None), exclusive(None):
        pass
