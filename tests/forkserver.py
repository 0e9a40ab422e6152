"""The program `patchbay` in a process of its own, forked from one that has loaded it already.

Loading takes most of the CPU of a start, and the tests start hundreds of servers. What runs is the same `main`, with
the arguments, environment, folder and streams of a new process. Tests of the start itself run `python -m server`
(docs/decisions/where-test-time-goes.md).
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO

from server.__main__ import main
from tests import serverlog

ROOT = Path(__file__).parents[1]
_CONTEXT = multiprocessing.get_context("forkserver")


class Forked:
    """A forked process. What it writes to stdout can be read, its stderr is appended to a file."""

    def __init__(self, words: Sequence[str], env: Mapping[str, str], cwd: Path, stderr: Path) -> None:
        """Run `patchbay WORDS…`; a data directory that is not there yet is one where it has run before."""
        _load()
        reader, writer = _CONTEXT.Pipe(duplex=False)
        self._process = _CONTEXT.Process(target=_be, args=(words, dict(env), cwd, writer, stderr), daemon=True)
        self._process.start()
        writer.close()
        self.stdout: IO[str] = os.fdopen(os.dup(reader.fileno()), encoding="utf-8")
        reader.close()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        """Return the exit code, as `Popen` does; None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code, as `Popen` does. Raises TimeoutExpired."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("patchbay", timeout or 0)
        return self._process.exitcode

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        self._process.kill()


def begin(
    words: Sequence[str], env: Mapping[str, str], cwd: Path, stderr: Path, *, whole: bool
) -> subprocess.Popen[str] | Forked:
    """Run `patchbay WORDS…`: as `Forked`, or `whole`, as an admin does. Errors in its log fail a test (`serverlog`)."""
    serverlog.watch(stderr)
    if not whole:
        return Forked(words, env, cwd, stderr)
    with stderr.open("a") as log:
        command = [sys.executable, "-m", "server", *words]
        return subprocess.Popen(command, env=dict(env), stdout=subprocess.PIPE, stderr=log, text=True, cwd=cwd)


@cache
def _load() -> None:
    """Start the process that loads the program and forks, once for each tester."""
    _CONTEXT.set_forkserver_preload(["tests.loaded"])
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(ROOT)  # whatever folder the test is in
    try:
        forkserver.ensure_running()
    finally:
        del os.environ["PYTHONPATH"]
        if before is not None:
            os.environ["PYTHONPATH"] = before


def _be(words: Sequence[str], env: Mapping[str, str], cwd: Path, stdout: Connection, stderr: Path) -> None:
    """Be the program, in the process just forked."""
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    import_module("tests.loaded").furnish(Path(env["PATCHBAY_DATA_DIR"]))
    os.dup2(stdout.fileno(), 1)
    stdout.close()
    with stderr.open("ab") as file:
        os.dup2(file.fileno(), 2)
    sys.argv = ["patchbay", *words]
    sys.exit(main(words))
