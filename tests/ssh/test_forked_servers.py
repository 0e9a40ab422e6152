"""A server that the tests fork (`tests.forkserver`) is one that an admin starts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.ssh.server import Server, running

DRAWN = re.compile(r"SHA256:\S+|(?<=-p )\d+|(?<=:)\d+$")  # fingerprints and ports


def left_by(folder: Path, *, whole: bool) -> tuple[list[str], list[str], dict[str, int]]:
    """Run a server; return what it said, what it logged, and its files with their rights."""
    with running(folder, {"PATCHBAY_LOG": "json"}, whole=whole) as server:
        said = [DRAWN.sub("…", line) for line in server.said]
    events = re.findall(r'"event": ?"([^"]+)"', server.log.read_text())
    made = {str(file.relative_to(folder)): file.stat().st_mode for file in sorted(server.data_dir.rglob("*"))}
    return said, events, made


def test_it_says_logs_and_leaves_the_same(tmp_path: Path) -> None:
    for name in ("whole", "forked"):
        (tmp_path / name).mkdir()
    whole, forked = (left_by(tmp_path / name, whole=name == "whole") for name in ("whole", "forked"))
    assert forked == whole
    assert len(whole[0]) > 3
    assert "started" in whole[1]


def test_it_begins_with_its_own_environment_and_ends_with_its_own_code(tmp_path: Path) -> None:
    server = Server(tmp_path / "var", {"PATCHBAY_LIMIT_ACTIONS_PER_MIN": "many"})
    with pytest.raises(AssertionError, match="ended with 2"):
        server.start()
    assert "PATCHBAY_LIMIT_ACTIONS_PER_MIN" in server.errors()


def test_it_may_be_killed_and_started_again(tmp_path: Path) -> None:
    server = Server(tmp_path / "var")
    server.start()
    key, process = (server.data_dir / "host_key.pub").read_text(), server.process
    server.crash()
    assert process is not None
    assert process.poll() == -9
    assert (server.data_dir / "host_key.pub").read_text() == key
    assert server.stop() == 0
