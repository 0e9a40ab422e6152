"""`game` installed by itself: nothing of the server's packages, and all that `python -m game` does works."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from importlib.metadata import requires
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the interpreter of an environment that holds this project and nothing else."""
    home = tmp_path_factory.mktemp("bare")
    source = home / "source"
    source.mkdir()
    for name in ("game", "server", "migrations", "pyproject.toml", "README.md", "LICENSE"):
        (source / name).symlink_to(ROOT / name)
    wheels, python = home / "wheels", home / "venv" / "bin" / "python"
    offline = ("--no-deps", "--no-index", "--disable-pip-version-check")
    built = run(
        *(sys.executable, "-m", "pip", "wheel", *offline, "--no-build-isolation", "-w", str(wheels), "."), cwd=source
    )
    assert built.returncode == 0, built.stderr
    (wheel,) = wheels.glob("patchbay-*.whl")
    made = run(sys.executable, "-m", "venv", "--without-pip", str(home / "venv"), cwd=home)
    assert made.returncode == 0, made.stderr
    done = run(sys.executable, "-m", "pip", "--python", str(python), "install", *offline, str(wheel), cwd=home)
    assert done.returncode == 0, done.stderr
    return python


def test_the_rules_and_bots_run_without_any_other_package(bare: Path) -> None:
    home = bare.parents[2]
    keys = run(str(bare), "-c", "from game import registry; print(*registry.KEYS)", cwd=home).stdout.split()
    assert len(keys) >= 4
    for key in keys:
        duel = run(str(bare), "-m", "game", "duel", key, "--bots", "random,easy", "--matches", "2", "--json", cwd=home)
        assert duel.returncode == 0, duel.stderr
        assert json.loads(duel.stdout)["matches"] == 2
    listed = run(str(bare), "-c", "import game; print(game.__file__)", cwd=home)
    assert "site-packages" in listed.stdout


@pytest.mark.parametrize("words", [("serve",), ("--help",)])
def test_the_server_without_its_packages_ended_in_a_traceback(bare: Path, words: tuple[str, ...]) -> None:
    done = run(str(bare.with_name("patchbay")), *words, cwd=bare.parents[2])
    assert done.returncode == 1
    (said,) = done.stderr.splitlines()
    assert said.endswith("pip install 'patchbay[server]'")


def test_the_project_itself_requires_nothing() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["dependencies"] == []
    assert all("extra ==" in one for one in requires("patchbay") or ())
