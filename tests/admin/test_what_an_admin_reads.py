"""What an admin reads at night: what was refused, where, and what to do; that an act was done."""

from __future__ import annotations

import errno
import os
import shlex
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import pexpect
import pytest

from server.__main__ import main
from server.admin import backup, output
from server.hostkeys.files import load_or_make_all
from tests.admin.homes import home as home
from tests.admin.test_acts import Desk
from tests.admin.test_acts import desk as desk
from tests.waiting import PATIENCE_S

ROOT = Path(__file__).parents[2]


def run(*words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run `patchbay` as a process of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PATCHBAY_REQUIRE_")}  # of tests
    environment = {**kept, "PYTHONPATH": str(ROOT), **settings}
    command = [sys.executable, "-m", "server", *words]
    return subprocess.run(
        command,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=PATIENCE_S,
    )


def test_a_start_was_silent_about_a_mistyped_setting_that_should_have_kept_guests_out(home: Path) -> None:
    done = run("serve", "--port", "0", "--motd", "nowhere", PATCHBAY_GUEST="off")
    assert "patchbay: PATCHBAY_GUEST is no setting, and does nothing: is PATCHBAY_GUESTS meant?\n" in done.stderr


@pytest.mark.parametrize("setting", ["allowed-keys", "motd"])
@pytest.mark.parametrize("content", [None, b"\xff no key\n"])
def test_check_found_well_what_the_start_refused(setting: str, content: bytes | None, home: Path) -> None:
    assert main(["migrate"]) == 0
    if content is not None:
        (home / "file").write_bytes(content)
    variable = f"PATCHBAY_{setting.upper().replace('-', '_')}"
    checked, started = (run(*words, f"--{setting}", "file") for words in (("check",), ("serve", "--port", "0")))
    assert (checked.returncode, started.returncode) == (1, 1)
    assert "settings: ok" not in checked.stdout
    assert f"settings: {variable}" in checked.stdout
    assert variable in started.stderr
    assert "Errno" not in checked.stdout + started.stderr


def test_the_line_of_a_list_that_is_no_key_was_counted_without_comments(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["migrate"]) == 0
    (home / "keys").write_text("# friends\n\nroot:x:0:0\n")
    assert main(["check", "--allowed-keys", "keys"]) == 1
    assert "PATCHBAY_ALLOWED_KEYS: keys: line 3 is no key in authorized_keys format" in capsys.readouterr().out


def test_a_data_directory_that_can_not_be_made_was_told_by_the_number_of_an_error(home: Path) -> None:
    (home / "file").write_text("")
    done = run("serve", "--data-dir", "file")
    assert done.returncode == 1
    assert done.stderr.startswith("patchbay: file")
    assert "Errno" not in done.stderr
    assert done.stderr.endswith(": Not a directory\n")


@pytest.mark.parametrize(("door", "variable"), [("metrics", "PATCHBAY_METRICS_PORT"), ("web", "PATCHBAY_WEB_PORT")])
def test_a_port_that_another_program_has_was_told_without_what_to_do(door: str, variable: str, home: Path) -> None:
    assert main(["migrate"]) == 0
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = str(other.getsockname()[1])
        doctor, started = (run(act, "--port", "0", f"--{door}-port", taken) for act in ("doctor", "serve"))
    assert f"stop that, or set {variable}" in started.stderr
    assert f"stop that, or set {variable}" in doctor.stdout, "it looked at the main port alone"
    assert (started.returncode, doctor.returncode) == (1, 1)


def test_the_doctor_s_lines_stood_between_those_of_the_log(home: Path) -> None:
    assert main(["migrate"]) == 0
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
    done = run("doctor", "--port", "0", "--bus-url", f"redis://127.0.0.1:{port}/0")
    assert done.stdout.startswith("bus: no answer")
    assert done.stderr == ""


def test_another_user_s_database_was_told_by_the_number_of_an_error(home: Path) -> None:
    assert main(["migrate"]) == 0
    os.chmod(home / "var", 0o000)
    powerless = ("setpriv", "--bounding-set=-all", "--inh-caps=-all") if os.getuid() == 0 else ()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [*powerless, sys.executable, "-m", "server", "check"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    os.chmod(home / "var", 0o700)
    assert done.returncode == 1
    assert "Permission denied" in done.stdout
    assert "data directory: var" in done.stdout
    assert "Errno" not in done.stdout + done.stderr


def test_a_full_disk_under_a_backup_was_called_the_database_s(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate"]) == 0
    assert main(["backup", "/proc/file"]) == 1
    assert capsys.readouterr().err == "patchbay: /proc/file is not written: No such file or directory\n"


@contextmanager
def file_on_a_full_disk(file: Path, *, replaces: bool) -> Iterator[BinaryIO]:
    """Write a file as `whole_file` does, where its first byte finds room and no other."""
    with output.whole_file(file, replaces=replaces) as out:
        out.write(b"-")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_restore_on_a_full_disk_left_an_empty_host_key(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server did not start with it, and the next restore took it for a key that stays."""
    assert main(["migrate"]) == 0
    made = load_or_make_all(home / "var" / "host_key")
    assert main(["backup", "file"]) == 0
    with monkeypatch.context() as disk:
        disk.setattr(backup, "whole_file", file_on_a_full_disk)
        assert main(["restore", "file", "--data-dir", "new"]) == 1
    assert "the database is restored, but not the host keys" in capsys.readouterr().err
    assert not list((home / "new").glob("*host_key*"))
    assert main(["restore", "file", "--data-dir", "new"]) == 0
    restored = load_or_make_all(home / "new" / "host_key")
    assert [key.get_fingerprint() for key in restored] == [key.get_fingerprint() for key in made]


@pytest.mark.parametrize("content", [b"root:x:0:0", b"\x1f\x8b\x08 nonsense"])
def test_a_file_that_is_no_backup_was_told_in_the_words_of_a_library(
    content: bytes, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "file").write_bytes(content)
    assert main(["restore", "file"]) == 1
    said = capsys.readouterr().err
    assert "damaged" in said or "cut short" in said
    assert main(["restore", "nowhere"]) == 1
    assert capsys.readouterr().err == "patchbay: nowhere can't be read: No such file or directory\n"


async def test_acts_that_were_done_said_nothing(desk: Desk) -> None:
    said = {
        ("announce", "back in five minutes"): "told to everybody who is connected: back in five minutes",
        ("drain",): "nobody is let in any more; `admin undrain` opens again",
        ("undrain",): "open again",
        ("note", "tarn", "asked to keep it down"): "noted about tarn",
        ("ban", "tarn", "--why", "insults"): "ban: account tarn, for good",
        ("mute", "tarn", "--for", "30m"): "mute: account tarn, for 30m",
    }
    for words, told in said.items():
        assert await desk.do(*words) == 0
        assert (desk.out, desk.err) == ([], [told])


@pytest.fixture
def shown(home: Path) -> Callable[..., list[str]]:
    """Return what a command shows on a terminal."""
    assert main(["migrate"]) == 0

    def lines(*words: str) -> list[str]:
        command = shlex.join([sys.executable, "-m", "server", *words])
        printed: Any = pexpect.run(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=int(PATIENCE_S))
        found: list[str] = printed.decode().splitlines()
        return found

    return lines


def test_a_list_of_nothing_was_nothing_on_a_terminal(
    shown: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert shown("admin", "sanctions") == ["no ban or mute is in force"]
    assert shown("admin", "reports") == ["no report is open"]
    capsys.readouterr()
    assert main(["admin", "sessions"]) == 0
    assert capsys.readouterr() == ("", ""), "a program reads it"


def test_lists_of_settings_and_host_keys_had_no_header_on_a_terminal(shown: Callable[..., list[str]]) -> None:
    assert shown("settings")[:2] == ["SETTING\tVALUE\tFROM", "PATCHBAY_HOST\t127.0.0.1\tdefault"]
    assert shown("hostkeys", "list") == ["KEY\tKIND\tSINCE\tFILE"]


def test_a_key_was_waited_for_without_a_word(shown: Callable[..., list[str]]) -> None:
    command = shlex.join([sys.executable, "-m", "server", "admin", "key", "add", "nobody"])
    child = pexpect.spawn(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=int(PATIENCE_S))
    child.expect_exact("paste the line of KEY.pub, then Enter and Ctrl-D")
    child.sendeof()
    child.expect(pexpect.EOF)


def test_a_refused_act_was_told_twice_once_as_a_line_of_the_log(home: Path) -> None:
    assert main(["migrate"]) == 0
    other = sqlite3.connect(home / "var" / "patchbay.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    done = run("admin", "announce", "one")
    other.close()
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert "database is locked" in done.stderr
