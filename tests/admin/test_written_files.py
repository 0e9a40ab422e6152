"""Files that admin commands write: nothing that exists is lost, and the server's user owns what is the server's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from server.__main__ import main
from server.admin.backup import load_lines as lines_of
from server.hostkeys.files import load_or_make
from server.ownership import give_to_owner
from tests.admin.homes import home as home

ROOT = Path(__file__).parents[2]
NOBODY = 65_534


def patchbay(
    *words: str, stdin: int = subprocess.DEVNULL, stdout: int = subprocess.PIPE
) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "server", *words]
    return subprocess.run(command, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, check=False, env=environment)


def test_a_backup_goes_to_standard_output(home: Path) -> None:
    assert main(["migrate"]) == 0
    done = patchbay("backup", "-")
    assert done.returncode == 0, done.stderr
    (home / "piped").write_bytes(done.stdout)
    assert main(["backup", "named"]) == 0
    assert next(lines_of(home / "piped"))["type"] == "backup"
    assert len(list(lines_of(home / "piped"))) == len(list(lines_of(home / "named"))) - 1, "less the act of the first"
    assert sorted(path.name for path in home.iterdir()) == ["named", "piped", "var"]


def test_a_backup_that_only_root_may_read_comes_back_by_standard_input(home: Path) -> None:
    """The container's user could not read the file that was mounted for it."""
    assert main(["migrate"]) == 0
    assert main(["backup", "kept"]) == 0
    with (home / "kept").open("rb") as kept:
        done = patchbay("restore", "-", "--data-dir", "other", stdin=kept.fileno())
    assert done.returncode == 0, done.stderr
    assert not list((home / "other").glob("*.backup")), "what was read is not left there"
    with (home / "kept").open("rb") as cut:
        cut.seek(100)
        done = patchbay("restore", "-", "--data-dir", "other", stdin=cut.fileno())
    assert done.returncode == 1
    assert b"no backup of Patchbay" in done.stderr


def test_what_exists_is_not_overwritten_unless_that_is_asked_for(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["migrate"]) == 0
    (home / "file").write_text("the only copy")
    (home / "file.part").write_text("another one")
    assert main(["backup", "file"]) == 1
    assert "--force" in capsys.readouterr().err
    assert (home / "file").read_text() == "the only copy"
    assert main(["backup", "file", "--force"]) == 0
    assert next(lines_of(home / "file"))["type"] == "backup"
    assert (home / "file.part").read_text() == "another one"


@pytest.mark.parametrize("kind", ["device", "pipe", "link", "folder"])
def test_what_is_no_plain_file_was_replaced_by_one(kind: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As root, `patchbay backup /dev/stdout` replaced the device by a file."""
    assert main(["migrate"]) == 0
    target = home / "target"
    match kind:
        case "device":
            if os.getuid() != 0:
                pytest.skip("only root makes devices: this is NOT checked")
            os.mknod(target, 0o666 | 0o020000, os.makedev(1, 3))
        case "pipe":
            os.mkfifo(target)
        case "link":
            (home / "elsewhere").write_text("kept")
            target.symlink_to("elsewhere")
        case _:
            target.mkdir()
    before = target.lstat()
    for words in (["backup", "target"], ["backup", "target", "--force"]):
        assert main(words) == 1
        assert "no plain file" in capsys.readouterr().err
    after = target.lstat()
    assert (after.st_ino, after.st_mode, after.st_mtime_ns) == (before.st_ino, before.st_mode, before.st_mtime_ns)


def owners(folder: Path) -> dict[str, int]:
    return {path.name: path.lstat().st_uid for path in folder.iterdir()}


def test_what_root_restored_could_not_be_read_by_the_server(home: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root gives files away: this is NOT checked")
    assert main(["migrate"]) == 0
    assert main(["hostkeys", "rotate"]) == 0
    assert main(["backup", "kept"]) == 0
    for path in (home / "var").iterdir():
        path.unlink()
    os.chown(home / "var", NOBODY, NOBODY)
    assert main(["restore", "kept"]) == 0
    assert main(["restore", "kept"]) == 0
    found = owners(home / "var")
    assert {"patchbay.db", "patchbay.db.lock", "host_key", "host_key_rsa", "host_key.next"} <= found.keys()
    assert any(name.startswith("before-restore-") for name in found)
    assert set(found.values()) == {NOBODY}
    assert (home / "kept").stat().st_uid == 0


def test_a_link_in_the_data_directory_gives_no_other_file_away(home: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root gives files away: this is NOT checked")
    folder = home / "var"
    folder.mkdir()
    for name in ("soft", "hard"):
        (home / name).write_text("root's")
    os.symlink(home / "soft", folder / "host_key")
    os.link(home / "hard", folder / "host_key_rsa")
    (folder / "notes").write_text("an admin's own")
    os.chown(folder, NOBODY, NOBODY)
    give_to_owner(folder)
    assert {path.name: path.stat().st_uid for path in (home / "soft", home / "hard", folder / "notes")} == {
        "soft": 0,
        "hard": 0,
        "notes": 0,
    }


def test_a_restore_beside_other_host_keys_says_that_the_server_would_not_start(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["migrate"]) == 0
    assert main(["hostkeys", "rotate"]) == 0
    assert main(["backup", "kept"]) == 0
    (home / "var" / "host_key").unlink()
    capsys.readouterr()
    assert main(["restore", "kept"]) == 0
    assert "is in force, but is not" not in capsys.readouterr().err, "the backup holds the key"
    load_or_make(home / "other" / "host_key")
    assert main(["restore", "kept", "--data-dir", "other"]) == 0
    assert "is in force, but is not in other" in capsys.readouterr().err


def test_a_restore_wrote_beside_host_keys_that_are_mounted_from_elsewhere(home: Path) -> None:
    """In a pod they are a secret, which can't be written: nothing could be restored there."""
    assert main(["migrate"]) == 0
    assert main(["hostkeys", "rotate", "--host-keys", "keys"]) == 0
    assert main(["backup", "kept", "--host-keys", "keys"]) == 0
    before = owners(home / "keys").keys()
    assert main(["restore", "kept", "--host-keys", "keys"]) == 0
    assert owners(home / "keys").keys() == before
    assert any(name.startswith("before-restore-") for name in owners(home / "var"))
