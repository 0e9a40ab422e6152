"""`make` on a fresh machine: what it installs for whom, and what it says where it can't."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = ("Makefile", "requirements.lock", "requirements-dev.lock", "pyproject.toml")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with what `make` reads, and no .venv yet."""
    for name in PARTS:
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def make(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = ["make", "--no-print-directory", f"PYTHON={sys.executable}", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def script(file: Path, *lines: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(("#!/bin/sh", *lines, "")))
    file.chmod(0o755)
    return file


def test_serving_installs_the_servers_lock_alone_and_tests_add_theirs(clone: Path) -> None:
    serve, test = (make(clone, "-n", goal).stdout for goal in ("serve", "test"))
    assert "--require-hashes -r requirements.lock -r .venv/build.lock" in serve
    assert "-r requirements-dev.lock" not in serve
    assert "--require-hashes -r requirements-dev.lock" in test
    assert "--durations 20" in test


def test_what_a_release_has_removed_stayed_installed_for_the_unit(clone: Path) -> None:
    """`pip install .` left a `build` beside the sources, and took what earlier releases had from there.

    It also fetched the newest setuptools, unchecked, and with root's umask of 077 the unit's user could read nothing.
    """
    for folder in ("game", "server", "migrations"):
        (clone / folder).mkdir()
    for name in ("README.md", "LICENSE", "server/new.py"):
        (clone / name).touch()
    (clone / "build" / "lib" / "server").mkdir(parents=True)
    (clone / "build" / "lib" / "server" / "old.py").touch()
    into = clone / "opt"
    script(
        into / "bin" / "python",
        'case "$*" in *"import pip"*) echo well; exit;; esac',
        'echo "$(umask) $*" >>' + str(clone / "asked"),
        'for last; do :; done; [ -d "$last" ] && (cd "$last" && find . -type f) >>' + str(clone / "built"),
        "exit 0",
    )
    script(into / "bin" / "patchbay")
    done = subprocess.run(
        ["sh", "-c", f"umask 077; make PYTHON={sys.executable} INTO={into} install"],
        cwd=clone, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    asked = [line for line in (clone / "asked").read_text().splitlines() if "pip install" in line]
    assert len(asked) == 2
    assert "--require-hashes -r requirements.lock" in asked[0]
    assert "--no-deps --no-build-isolation" in asked[1]
    assert all(line.startswith("0022 ") for line in asked)
    built = (clone / "built").read_text().split()
    assert "./server/new.py" in built
    assert not [name for name in built if "old.py" in name]
    assert sorted(one.name for one in (clone / "build").rglob("*.py")) == ["old.py"], "and the clone stays as it is"


def test_a_venv_that_was_left_half_made_is_made_anew(clone: Path) -> None:
    """Without python3-venv a .venv without pip stayed, and every later `make` failed in it."""
    script(clone / ".venv" / "bin" / "python", 'echo "No module named pip" >&2', "exit 1")
    (clone / ".venv" / ".installed").touch()
    done = make(clone, ".venv/bin/python")
    assert done.returncode == 0, done.stderr
    python = clone / ".venv" / "bin" / "python"
    assert subprocess.run([python, "-m", "pip", "--version"], check=False, capture_output=True).returncode == 0
    assert not (clone / ".venv" / ".installed").exists()
    python.write_bytes(b"") if not python.is_symlink() else python.unlink()  # its Python has gone
    assert "-m venv --clear .venv" in make(clone, "-n", "serve").stdout


@pytest.mark.parametrize("lacks", ["is Python 3.9.2", "is missing", "has no venv or pip"])
def test_a_python_that_will_not_do_ends_in_one_sentence(clone: Path, lacks: str) -> None:
    given = clone / "bin" / "python3"
    if lacks == "is Python 3.9.2":
        script(given, '[ "$1" = --version ] && echo Python 3.9.2')
    elif lacks == "has no venv or pip":
        script(given, 'case "$2" in *ensurepip*) exit 1;; esac', "exit 0")
    done = make(clone, f"PYTHON={given}", "serve")
    said = [line for line in done.stderr.splitlines() if not re.match(r"make(\[\d+\])?: \*\*\*", line)]
    assert done.returncode == 2
    assert len(said) == 1
    assert said[0].startswith("Patchbay needs Python 3.11 or newer with venv and pip, and ")
    assert lacks in said[0]
    assert not (clone / ".venv").exists()


def test_several_testers_ran_nothing_and_did_not_say_that_a_path_is_missing() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "tests/test_names.py", "tests/nope"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "no such path: tests/nope" in done.stderr + done.stdout
