"""The manual page and the completion: made from the table of commands, and read by the programs that read them."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from server.__main__ import main
from server.admin.command import ACTS
from server.commands import COMMANDS
from server.settingsreference import reference
from tests.admin.homes import home as home

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "deploy" / "patchbay.8"
RECIPES = [ROOT / "docs" / name for name in ("installing.md", "upgrading.md")]
WRITTEN = re.compile(r"(?:`|\n|exec (?:-T )?patchbay |run --rm .* )patchbay ([a-z][^`\n<>|]*)")


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main([*words]) == 0
    return capsys.readouterr().out


def test_the_manual_page_is_current(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert PAGE.read_text(encoding="utf-8") == printed(capsys, "man"), "patchbay man > deploy/patchbay.8"


def test_the_manual_page_is_read_without_a_warning_and_names_everything() -> None:
    if shutil.which("man") is None:
        pytest.skip("man is not installed: the manual page is NOT read by it")
    command = ["man", "-l", "--warnings", str(PAGE)]
    environment = {"MANWIDTH": "200", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert done.stderr == ""
    for name in (*COMMANDS, *ACTS, *(one.variable for one in reference())):
        assert name in done.stdout, name


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (("do",), {"doctor"}),
        (("admin", "un"), {"unban", "unmute", "undrain"}),
        (("admin", "delete", "tarn", "--"), {"--why"}),
        (("hostkeys", "r"), {"rotate"}),
        (("serve", "--proxy"), {"--proxy-from"}),
        (("admin", "ban", "--f"), {"--for"}),
        (("admin", "key", "a"), set()),
    ],
)
def test_bash_completes(
    typed: tuple[str, ...], offered: set[str], home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = home / "completion.bash"
    script.write_text(printed(capsys, "completion", "bash"))
    line = f'source {script}; COMP_WORDS=(patchbay "$@"); COMP_CWORD=$#; _patchbay; printf "%s\\n" "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", line, "bash", *typed], capture_output=True, text=True, check=True)
    assert (set(done.stdout.split()), done.stderr) == (offered, "")


def test_the_other_shells_have_the_same_words(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "completion", "zsh").endswith(printed(capsys, "completion", "bash"))
    fish = printed(capsys, "completion", "fish")
    for name in (*COMMANDS, *(act.split()[0] for act in ACTS)):
        assert f"-a {name} " in fish
    assert main(["completion", "csh"]) == 2


def test_the_version_is_told(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "--version").startswith("patchbay ")


@pytest.mark.parametrize("page", RECIPES, ids=lambda page: str(page.name))
def test_the_commands_of_the_recipes_are_there(page: Path) -> None:
    """Each is written as the tables of commands and acts want it; FILE, HANDLE and the like stand for a word."""
    found = [shlex.split(line.strip().rstrip(".,;")) for line in WRITTEN.findall(page.read_text(encoding="utf-8"))]
    assert len(found) >= 3
    for name, *rest in found:
        if "…" in (name, *rest):
            continue
        if rest:
            _, given = COMMANDS.read((name, *rest))
            if name == "admin" and given.words != tuple(ACTS.find(given.words).name.split()):
                ACTS.read(given.words)


def test_the_hosts_of_the_recipes_read_a_balancer_s_header(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = RECIPES[0].read_text(encoding="utf-8")
    assert "send-proxy-v2" in text
    assert "proxy_protocol on;" in text
    [network] = set(re.findall(r"PATCHBAY_PROXY_FROM=([\d.]+)", text))
    assert printed(capsys, "settings", "--proxy-from", network).count(f"{network}\toption") == 1
