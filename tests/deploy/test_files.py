"""The compose files, the unit and the image's recipe: read by the programs that will read them, and hardened."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from game.cli.exits import Exit
from server.config import load, options

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


def services(file: Path) -> dict[str, Any]:
    """Return each service by its name."""
    found: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))["services"]
    return found


@pytest.mark.parametrize("file", COMPOSE, ids=lambda file: str(file.name))
def test_docker_compose_reads_it(file: Path) -> None:
    run(tool("docker-compose"), "-f", str(file), "config", "-q")


@pytest.mark.parametrize("file", COMPOSE, ids=lambda file: str(file.name))
def test_every_service_is_hardened(file: Path) -> None:
    found = services(file)
    assert "patchbay" in found
    for name, service in found.items():
        wanted = {"read_only": True, "cap_drop": ["ALL"], "security_opt": ["no-new-privileges:true"]}
        assert {key: service.get(key) for key in wanted} == wanted, name
        assert {"mem_limit", "pids_limit", "restart"} <= service.keys(), name


@pytest.mark.parametrize("file", COMPOSE, ids=lambda file: str(file.name))
def test_it_sets_what_there_is(file: Path) -> None:
    known = {variable for _, variable, _ in options()}
    service = services(file)["patchbay"]
    assert service.get("environment", {}).keys() <= known
    assert service["env_file"] == "${PATCHBAY_ENV_FILE:-patchbay.env.example}"
    assert (DEPLOY / "patchbay.env.example").is_file()


@pytest.mark.parametrize("file", COMPOSE, ids=lambda file: str(file.name))
def test_browsers_come_by_the_proxy_that_the_server_believes(file: Path) -> None:
    """Everybody behind a proxy that is not named would count as one source."""
    found, networks = services(file), yaml.safe_load(file.read_text(encoding="utf-8"))["networks"]
    settings = found["patchbay"]["environment"]
    [subnet] = [one["subnet"] for one in networks["web"]["ipam"]["config"]]
    assert settings["PATCHBAY_WEB_PROXY_FROM"] == subnet
    assert found["caddy"]["networks"] == ["web"]
    assert "web" in found["patchbay"]["networks"]
    assert found["caddy"]["ports"] == ["80:80", "443:443"]
    caddy = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    assert f"reverse_proxy patchbay:{settings['PATCHBAY_WEB_PORT']} {{" in caddy
    assert caddy.count("{") == caddy.count("}")
    assert re.findall(r"^\s*log\b.*\{\s*(.*)", caddy, re.MULTILINE) == ["exclude http.log.error"], "no secret links"


def test_caddy_reads_its_file() -> None:
    run(tool("caddy"), "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile"))


def test_database_and_bus_are_on_a_network_of_their_own() -> None:
    file = DEPLOY / "compose.postgres.yaml"
    networks = yaml.safe_load(file.read_text(encoding="utf-8"))["networks"]
    assert networks["back"] == {"internal": True}
    for name in ("postgres", "redis"):
        service = services(file)[name]
        assert (service["networks"], service.get("ports")) == (["back"], None)


def test_no_file_is_made_by_hand_before_compose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two files with a password had to be written and given away first; Redis had no password at all."""
    if os.getuid() != 0:
        pytest.skip("only root gives files away, as the container does: the passwords' files are NOT checked")
    found = services(DEPLOY / "compose.postgres.yaml")
    first = found["secrets"]
    mounted = {volume.split(":")[1]: volume.split(":")[0] for volume in first["volumes"]}
    for folder in mounted:
        (tmp_path / folder.lstrip("/")).mkdir(parents=True)
    script = first["command"][0].replace("$$", "$").replace("/secrets", str(tmp_path / "secrets"))
    said = []
    for _ in range(2):
        run(*first["entrypoint"], script)
        secrets = tmp_path / "secrets"
        said.append({str(path): path.read_text() for path in sorted(secrets.rglob("*")) if path.is_file()})
    assert said[0] == said[1], "what was drawn stays"
    assert all(Path(path).stat().st_mode & 0o077 == 0 for path in said[0])
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(secrets / "patchbay"))
    settings = load({"workers": "2"})
    password = (secrets / "postgres" / "password").read_text()
    assert len(password) == 48
    assert settings.database == f"postgresql+asyncpg://patchbay:{password}@postgres:5432/patchbay"
    asked = (secrets / "redis" / "redis.conf").read_text().removeprefix("requirepass ").strip()
    assert settings.bus_url == f"redis://:{asked}@redis:6379/0"
    assert asked != password
    owners = {path.name: path.stat().st_uid for path in secrets.iterdir()}
    assert owners == {"patchbay": 10001, "postgres": 0, "redis": int(found["redis"]["user"].split(":")[0])}
    for name, where in (("patchbay", "/run/secrets"), ("postgres", "/secrets"), ("redis", "/secrets")):
        volume = f"{mounted[f'/secrets/{name}']}:{where}:ro"
        assert volume in found[name]["volumes"]
        assert [one for one in found[name]["volumes"] if "-secrets:" in one] == [volume], "and nobody else's"


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


def test_a_database_that_comes_late_finds_the_unit_still_trying(unit: Path) -> None:
    """Five starts in ten seconds were the limit: after a power failure the database took longer."""
    lines = unit.read_text(encoding="utf-8").splitlines()
    assert "StartLimitIntervalSec=0" in lines[: lines.index("[Service]")]
    assert f"RestartPreventExitStatus={Exit.USAGE}" in lines, "settings that can't be read do not become readable"


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
