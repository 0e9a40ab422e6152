"""The compose files, the unit and the image's recipe: read by the programs that will read them, and hardened."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from server.config import options

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
COMPOSE = sorted(DEPLOY.glob("compose.*.yaml"))
MOST_EXPOSED = 1.5  # of 10, as systemd counts


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed: what it checks is NOT checked")
    return found


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout + done.stderr


def services(file: Path) -> dict[str, list[str]]:
    """Return each service's lines: enough of YAML for files that are written evenly."""
    found: dict[str, list[str]] = {}
    inside = False
    for line in file.read_text(encoding="utf-8").splitlines():
        if re.match(r"\S", line) and not line.startswith("#"):
            inside = line == "services:"
        elif inside and (name := re.fullmatch(r"  (\w+):", line)):
            found[name[1]] = []
        elif inside and found:
            found[list(found)[-1]].append(line.strip())
    return found


@pytest.mark.parametrize("file", COMPOSE, ids=lambda file: str(file.name))
def test_docker_compose_reads_it(file: Path) -> None:
    run(tool("docker-compose"), "-f", str(file), "config", "-q")


@pytest.mark.parametrize("file", COMPOSE, ids=lambda file: str(file.name))
def test_every_service_is_hardened(file: Path) -> None:
    found = services(file)
    assert "patchbay" in found
    for name, lines in found.items():
        for wanted in ("read_only: true", "cap_drop: [ALL]", 'security_opt: ["no-new-privileges:true"]'):
            assert wanted in lines, (file.name, name, wanted)
        for wanted in ("mem_limit:", "pids_limit:", "restart:"):
            assert any(line.startswith(wanted) for line in lines), (file.name, name, wanted)


@pytest.mark.parametrize("file", COMPOSE, ids=lambda file: str(file.name))
def test_it_sets_what_there_is(file: Path) -> None:
    known = {variable for _, variable, _ in options()}
    named = re.findall(r"^ {6}(PATCHBAY_\w+):", file.read_text(encoding="utf-8"), re.MULTILINE)
    assert named
    assert [name for name in named if name not in known] == []


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit, with a program that is there on this machine."""
    text = (DEPLOY / "patchbay.service").read_text(encoding="utf-8")
    written = "/opt/patchbay/bin/patchbay serve"
    assert f"ExecStart={written}\n" in text
    file = tmp_path / "patchbay.service"
    file.write_text(text.replace(written, f"{sys.executable} -m server serve"), encoding="utf-8")
    return file


def test_systemd_reads_the_unit(unit: Path) -> None:
    assert run(tool("systemd-analyze"), "verify", "--man=no", str(unit)).strip() == ""


def test_the_unit_is_hardened(unit: Path) -> None:
    said = run(tool("systemd-analyze"), "security", "--offline=true", "--no-pager", str(unit))
    found = re.search(r"Overall exposure level for patchbay\.service: ([\d.]+)", said)
    assert found, said
    assert float(found[1]) <= MOST_EXPOSED


def recipe() -> list[list[str]]:
    """Return the Dockerfile's instructions, split into words."""
    text = re.sub(r"\\\n", " ", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
    return [line.split() for line in text.splitlines() if line and not line.startswith("#")]


def last(instructions: list[list[str]], name: str) -> Any:
    return [words[1:] for words in instructions if words[0] == name][-1]


def test_the_recipe_keeps_its_promises() -> None:
    found = recipe()
    assert [words[1] for words in found if words[0] == "FROM"] == ["${BASE}", "${BASE}"]
    assert last(found, "USER") == ["patchbay"]
    assert last(found, "VOLUME") == ["/data"]
    assert last(found, "STOPSIGNAL") == ["SIGTERM"]
    assert last(found, "HEALTHCHECK")[-1] == '"--live"]'
    installs = [
        part for words in found if words[0] == "RUN" for part in " ".join(words).split("&&") if "pip install" in part
    ]
    assert len(installs) == 2
    for part in installs:
        assert "--require-hashes" in part or "--no-index --no-deps" in part, "what comes from the index is checked"


def test_a_clean_clone_has_all_that_an_image_is_built_from() -> None:
    """The recipe copied a folder that only deploy/wheelhouse makes: `docker build .` ended with its first step."""
    kept = run(tool("git"), "ls-files").splitlines()
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    for words in recipe():
        if words[0] == "COPY" and not words[1].startswith("--"):
            for source in words[1:-1]:
                assert any(name == source or name.startswith(source.rstrip("/") + "/") for name in kept), source
                assert f"!{source.rstrip('/')}" in ignored, source
