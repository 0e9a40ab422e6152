"""The `patchbay` command, and that docs/operations.md says what is true."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import asyncssh
import pexpect
import pytest
from prometheus_client import generate_latest

from game.cli.commandline import Command
from server import app, config
from server.__main__ import main
from server.accounts.accounts import Accounts
from server.accounts.actor import CONSOLE
from server.admin.command import ACTS
from server.clock import SystemClock
from server.commands import COMMANDS, NO_HOST_KEY
from server.config import Limits
from server.hostkeys.files import HostKeyError, load_or_make
from server.metrics import Metrics
from server.store import processes
from server.store.choose import open_database
from tests.accounts.keyring import public_key
from tests.admin.homes import home as home
from tests.admin.played import play_and_store
from tests.bench.__main__ import SECTIONS, sections
from tests.services import drop_postgres, make_postgres
from tests.texts import en
from tests.waiting import PATIENCE_S

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "operations.md"
pytestmark = pytest.mark.usefixtures("home")


async def fill() -> None:
    database = await open_database("sqlite:///var/patchbay.db")
    accounts = Accounts(database, SystemClock(), Limits())
    for handle in ("mira", "tarn"):
        await accounts.register(handle, public_key(handle), "192.0.2.1")
    await play_and_store(database, "m1", 1, entries=5)
    await play_and_store(database, "m2", 2)
    await database.close()


def commands() -> list[str]:
    blocks = re.findall(r"```console\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return [line.removeprefix("$ ") for block in blocks for line in block.splitlines() if line.startswith("$ ")]


def test_the_commands_of_the_operations_page_work(capsys: pytest.CaptureFixture[str]) -> None:
    found = commands()
    assert len(found) > 20
    for line in found:
        name, *arguments = shlex.split(line)
        assert name == "patchbay"
        assert main(arguments) == 0, line
        if arguments == ["check"]:
            asyncio.run(fill())
    out = capsys.readouterr().out
    assert "m1\trainet\tlive" in out or '"match":"m1"' in out
    assert "(console)\tban\ttarn\tinsults in the lobby" in out


def test_the_operations_page_lists_every_setting() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for option, variable, description in config.options():
        assert f"| `{variable}` | `{option}` | {description} |" in page


def test_what_is_refused_has_its_exit_code(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check"]) == 1
    assert main(["verify"]) == 1
    assert main(["migrate"]) == 0
    assert main(["admin", "ban", "nobody", "--why", "x"]) == 3
    assert main(["admin", "ban"]) == 2
    assert main(["migrate", "--workers", "2"]) == 2
    assert main(["restore", "nothing.backup"]) == 1
    assert main(["migrate", "--database-url", "sqlite+aiosqlite:////proc/none/x.db"]) == 1
    assert main(["fly"]) == 2
    assert main([]) == 2
    assert main(["verify", "--fly", "1"]) == 2
    streams = capsys.readouterr()
    assert en("handle.unknown", handle="nobody") in streams.err
    assert "Traceback" not in streams.err


def test_verify_names_what_differs_and_exits_1(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate"]) == 0
    asyncio.run(fill())

    async def spoil() -> None:
        database = await open_database("sqlite:///var/patchbay.db")
        await database.write(lambda c: c.exec_driver_sql("UPDATE matches SET state_hash = '00' WHERE id = 'm2'"))
        await database.close()

    assert main(["verify"]) == 0
    asyncio.run(spoil())
    capsys.readouterr()
    assert main(["verify"]) == 1
    assert capsys.readouterr().out.startswith("m2\tstate_hash")


def test_restore_refuses_beside_a_running_server(home: Path) -> None:
    assert main(["migrate"]) == 0
    assert main(["backup", "file"]) == 0

    async def run() -> None:
        database = await open_database("sqlite:///var/patchbay.db")
        await database.write(processes.arrive, "p1", 1, "here", SystemClock().now())
        await database.close()

    asyncio.run(run())
    assert main(["restore", "file"]) == 1


def test_what_it_makes_is_nobody_else_s_to_read(home: Path) -> None:
    assert main(["migrate"]) == 0
    assert main(["backup", "var/file"]) == 0
    for made in (home / "var", *(home / "var").iterdir()):
        assert made.stat().st_mode & 0o077 == 0, made


def test_a_key_is_read_from_standard_input(home: Path) -> None:
    assert main(["migrate"]) == 0
    asyncio.run(fill())
    command = [sys.executable, "-m", "server", "admin", "key", "add", "mira"]
    root = Path(__file__).parents[2]
    environment = {"PATCHBAY_DATA_DIR": str(home / "var"), "PYTHONPATH": str(root), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        command, input=public_key("new"), text=True, capture_output=True, check=False, env=environment
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("SHA256:")


def test_check_tells_of_a_host_key_that_can_not_be_read(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate"]) == 0
    (home / "var" / "host_key").write_text("garbage")
    assert main(["check"]) == 1
    assert "can't be read" in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["gone", "directory", "encrypted", "empty"])
def test_check_agrees_with_the_start_about_a_bad_host_key(
    kind: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["migrate"]) == 0
    spoilt = home / "var" / "host_key"
    match kind:
        case "gone":
            spoilt.symlink_to(home / "not-mounted")
        case "directory":
            spoilt.mkdir()
        case "encrypted":
            key = asyncssh.generate_private_key("ssh-ed25519")
            spoilt.write_bytes(key.export_private_key("pkcs8-pem", passphrase="secret"))
        case _:
            spoilt.touch()
    before = spoilt.lstat()
    assert main(["check"]) == 1
    assert "host_key can't be read" in capsys.readouterr().out
    with pytest.raises(HostKeyError, match="can't be read"):
        load_or_make(spoilt)
    assert spoilt.lstat().st_mtime_ns == before.st_mtime_ns


def test_check_tells_of_a_host_key_that_others_can_read(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate"]) == 0
    load_or_make(home / "var" / "host_key")
    (home / "var" / "host_key").chmod(0o644)
    assert main(["check"]) == 0
    assert "chmod 600" in capsys.readouterr().out


def test_check_names_a_variable_that_is_no_setting(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["migrate"]) == 0
    monkeypatch.setenv("PATCHBAY_WORKER", "4")
    assert main(["check"]) == 0
    assert "PATCHBAY_WORKER is no setting, and does nothing: is PATCHBAY_WORKERS meant?" in capsys.readouterr().out


POWERLESS = ("setpriv", "--bounding-set=-all", "--inh-caps=-all")  # root, without the right to write everywhere


@pytest.mark.parametrize("which", ["patchbay.db", "logs/patchbay.log", "."])
def test_check_tells_what_can_not_be_written(which: str, home: Path) -> None:
    if os.getuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("root writes everywhere: what can't be written is NOT checked")
    assert main(["migrate"]) == 0
    (home / "var" / "logs").mkdir()
    (home / "var" / "logs" / "patchbay.log").touch()
    spoilt = home / "var" / which
    spoilt.chmod(0o555 if spoilt.is_dir() else 0o444)
    environment = {"PATCHBAY_DATA_DIR": str(home / "var"), "PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]}
    command = [*(POWERLESS if os.getuid() == 0 else ()), sys.executable, "-m", "server"]
    for act in (["check"], ["serve", "--port", "0"]):
        done = subprocess.run(
            [*command, *act], text=True, capture_output=True, check=False, env=environment, timeout=PATIENCE_S
        )
        assert done.returncode == 1, (done.stdout, done.stderr)
        assert "Traceback" not in done.stderr
    spoilt.chmod(0o755)


@pytest.mark.services
def test_a_database_that_is_not_there_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    url = asyncio.run(make_postgres())
    asyncio.run(drop_postgres(url))
    assert main(["migrate", "--database-url", url]) == 1
    said = capsys.readouterr().err
    assert said.startswith("patchbay: database: ")
    assert "does not exist" in said
    assert said.count("\n") == 1
    assert main(["check", "--database-url", url]) == 1


def test_a_backup_without_a_host_key_says_so(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate"]) == 0
    assert main(["backup", "file"]) == 0
    told = NO_HOST_KEY.format(path=Path("var") / "host_key")
    assert told in capsys.readouterr().err
    load_or_make(home / "var" / "host_key")
    assert main(["backup", "file", "--force"]) == 0
    assert told not in capsys.readouterr().err


def test_a_backup_is_made_of_a_database_that_takes_nothing_more(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate"]) == 0
    other = sqlite3.connect(home / "var" / "patchbay.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert main(["backup", "file"]) == 0
    other.close()
    assert "not in the audit log: OperationalError: database is locked\n" in capsys.readouterr().err
    assert main(["restore", "file"]) == 0


def test_the_commands_that_measure_are_there() -> None:
    root = Path(__file__).parents[2]
    page = (root / "docs" / "measuring.md").read_text(encoding="utf-8")
    measured = re.findall(r"`python -m tests\.bench (\w+)`", page)
    assert measured
    for section in measured:
        assert section in SECTIONS
    for name in re.findall(r"`python -m pytest [^`]*?(tests/\S+)`", page):
        assert "pytest.mark.soak" in (root / name).read_text(encoding="utf-8"), name
    assert os.access(root / "deploy" / "check-image", os.X_OK)


def test_an_unknown_section_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        sections(["sesions"])
    assert ended.value.code == 2
    assert "'sesions': choose from rules, store, sessions" in capsys.readouterr().err


def test_the_metrics_of_the_page_are_there() -> None:
    shown = generate_latest(Metrics().registry).decode()
    source = Path(app.__file__).read_text(encoding="utf-8")
    named = re.findall(r"`patchbay_(\w+?)(?:_total)?(?:\{\w+\})?`", PAGE.read_text(encoding="utf-8"))
    assert len(set(named)) >= 10
    for name in named:
        assert f"patchbay_{name}" in shown or f'gauge("{name}"' in source or f'counter("{name}"' in source, name


async def test_the_acts_are_listed_for_who_asks_for_help(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`patchbay admin --help` told how settings are given, and of no act."""
    await asyncio.to_thread(main, ["migrate"])
    assert await asyncio.to_thread(main, ["admin", "--help"]) == 0
    assert "ban HANDLE|GUEST|KEY|NETWORK" in capsys.readouterr().out
    assert await asyncio.to_thread(main, ["admin", "help"]) == 0
    assert "\n  drain " in capsys.readouterr().out


def test_a_second_line_of_an_option_s_help_stood_where_options_begin(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate", "--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    more = lines[lines.index("  settings:") + 1 :]
    assert any("(PATCHBAY_PORT)" in line for line in more)
    assert {line[:6] for line in more if not line.startswith("    --")} == {" " * 6}


def test_the_help_of_ratings_named_an_act_and_not_which(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ratings", "--help"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "patchbay ratings rebuild"
    assert main(["ratings"]) == 2


@pytest.mark.parametrize(
    "words", [*(tuple(name.split()) for name in COMMANDS), *(("admin", *act.split()) for act in ACTS)]
)
def test_help_wanted_a_database_and_settings(
    words: tuple[str, ...], home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`patchbay admin ban --help` said that the schema is not current, and ended with 1."""
    monkeypatch.setenv("PATCHBAY_PORT", "no number")
    rows: list[Command[object]] = [*COMMANDS.values(), *ACTS.values()]
    about = {row.name: row.about for row in rows}[" ".join(words).removeprefix("admin ")]
    for asked in (["--help"], ["-h"], ["nobody", "--help"]):
        if asked[0] == "nobody" and words == ("admin",):
            continue  # "nobody" would be the act
        assert main([*words, *asked]) == 0
        told = capsys.readouterr()
        assert about in " ".join(told.out.split())
        assert told.err == ""
    assert list(home.iterdir()) == []


def test_help_of_an_act_of_two_words_is_found_by_the_first(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admin", "key", "--help"]) == 0
    assert capsys.readouterr().out.startswith("admin key add HANDLE\n")
    assert main(["admin", "nothing", "--help"]) == 1, "the schema comes first: there is no such act"


def test_a_listing_that_is_read_in_part_ends_quietly(home: Path) -> None:
    """`patchbay admin audit | head -1` ended with a complaint about a broken pipe."""
    assert main(["migrate"]) == 0
    for n in range(3):
        assert main(["admin", "announce", f"word {n}"]) == 0
    read, write = os.pipe()
    os.close(read)
    for act in (["admin", "audit"], ["admin", "help"]):
        done = subprocess.run(
            [sys.executable, "-m", "server", *act],
            stdout=write,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=False,
        )
        assert (done.returncode, done.stderr) == (141, "")
    os.close(write)


def test_a_listing_has_a_header_on_a_terminal_only(home: Path) -> None:
    assert main(["migrate"]) == 0
    assert main(["admin", "announce", "one"]) == 0
    command = [sys.executable, "-m", "server", "admin", "audit"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    printed: Any = pexpect.run(shlex.join(command), env=env, timeout=int(PATIENCE_S))
    shown = printed.decode().splitlines()
    piped = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout.splitlines()
    assert shown[0].split("\t") == ["AT", "ACTOR", "ACT", "TARGET", "WHY", "DATA"]
    assert shown[1:] == piped


def test_an_act_beside_a_server_stands_in_the_server_s_log(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate"]) == 0
    kept = home / "var" / "logs" / "patchbay.log"
    kept.parent.mkdir()
    kept.touch()
    assert main(["admin", "announce", "one"]) == 0
    [line] = [json.loads(line) for line in kept.read_text().splitlines()]
    assert (line["event"], line["act"], line["by"]) == ("act", "announce", CONSOLE)
    assert "one" not in kept.read_text().replace(CONSOLE, "")
    assert "act" not in capsys.readouterr().err
