"""`patchbay doctor`: nothing where all is well, else a line for each fault with what to do."""

from __future__ import annotations

import logging
import os
import shutil
import socket
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError
from starlette.datastructures import Headers

from server import log
from server.__main__ import main
from server.admin import check, doctor
from server.config import Settings
from server.hostkeys import files
from server.web.visitor import Visitors
from tests.admin.homes import home as home
from tests.services import REDIS_URL
from tests.ssh.client import run
from tests.ssh.server import ROOT, Server


def faults(capsys: pytest.CaptureFixture[str], *options: str) -> list[str]:
    """Return what the doctor prints; the exit code has to agree."""
    code = main(["doctor", "--port", "0", *options])
    found = capsys.readouterr().out.splitlines()
    assert code == (1 if found else 0)
    return found


@pytest.fixture(autouse=True)
def without_the_tests_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what only these tests read, and no server."""
    for name in (
        "PATCHBAY_REQUIRE_SERVICES",
        "PATCHBAY_REQUIRE_BROWSER",
        "PATCHBAY_TEST_POSTGRES_URL",
        "PATCHBAY_TEST_REDIS_URL",
    ):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def data(home: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A data directory as a start leaves it."""
    assert main(["migrate"]) == 0
    assert main(["hostkeys", "rotate"]) == 0
    assert main(["hostkeys", "rotate", "--finish"]) == 0
    capsys.readouterr()
    return home / "var"


def test_all_is_well(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert faults(capsys) == []


def lose_key(data: Path) -> None:
    (data / "host_key").unlink()


def spoil_key(data: Path) -> None:
    (data / "host_key").write_text("nonsense")


def replace_key(data: Path) -> None:
    lose_key(data)
    files.load_or_make(data / "host_key")


def open_up(data: Path) -> None:
    (data / "patchbay.db").chmod(0o644)


def old_schema(data: Path) -> None:
    (data / "patchbay.db").unlink()


def newer_schema(data: Path) -> None:
    with closing(sqlite3.connect(data / "patchbay.db")) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lose_key, "back from a backup"),
        (spoil_key, "back from a backup"),
        (replace_key, "hostkeys accept"),
        (open_up, "chmod go= "),
        (old_schema, "patchbay migrate"),
    ],
)
def test_a_fault_is_told_with_what_to_do(
    spoil: Callable[[Path], None], said: str, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(data)
    [fault] = faults(capsys)
    assert said in fault


def test_a_newer_schema_is_no_database_that_does_not_run(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    newer_schema(data)
    [fault] = faults(capsys)
    assert fault.endswith("use a newer release")


def test_a_data_directory_that_is_a_link_has_its_target_s_owner(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A unit's data directory is a link of root's: the doctor asked for it to be given to whom it belonged to."""
    if os.getuid() != 0:
        pytest.skip("only root gives files away: this is NOT checked")
    for path in (data, *data.rglob("*")):
        os.chown(path, 65_534, 65_534)
    data.rename(data.with_name("private"))
    data.symlink_to("private")
    assert faults(capsys) == []


def test_a_volume_and_a_secret_that_are_mounted_are_root_s(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a pod with a group for its volumes each file of the data directory was a fault, and each host key."""
    if os.getuid() != 0:
        pytest.skip("only root gives files away: this is NOT checked")
    keys = data.with_name("secret")
    keys.mkdir()
    for key in data.glob("host_key*"):
        key.rename(keys / key.name).chmod(0o440)
    (data / "lost+found").mkdir()
    for path in data.rglob("*"):
        os.chown(path, 65_534, 65_534)
    os.chown(data / "lost+found", 0, 0)
    data.chmod(0o2775)
    monkeypatch.setattr("os.geteuid", lambda: 65_534)
    assert faults(capsys, "--host-keys", str(keys)) == []


def test_a_file_of_another_user_is_told(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A command run as root leaves files that the server's user can't write."""
    if os.getuid() != 0:
        pytest.skip("only root gives files away: this is NOT checked")
    os.chown(data / "host_key", 65_534, 65_534)
    [fault] = faults(capsys)
    assert "chown --reference=" in fault


def test_settings_that_newcomers_forget_are_told(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATCHBAY_WORKER", "4")
    told = faults(capsys, "--host", "0.0.0.0", "--motd", "nowhere")
    assert [one.split(":")[0] for one in told] == ["settings"] * 4
    forgotten = ("PATCHBAY_WORKER ", "PATCHBAY_PUBLIC_ADDRESS", "PATCHBAY_CONTACT", "PATCHBAY_MOTD")
    for named, fault in zip(forgotten, told, strict=True):
        assert named in fault


def test_a_forgotten_proxy_is_told(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    web = ("--web-port", "8080", "--web-url", "https://play.example.org")
    [fault] = faults(capsys, *web)
    assert "PATCHBAY_WEB_PROXY_FROM" in fault
    assert faults(capsys, "--web-port", "8080", "--web-url", "http://play.example.org") == []
    log.configure("text", file=data / "logs" / "patchbay.log")
    for peer, proxies in (("10.0.0.7", ()), ("192.168.0.9", ()), ("8.8.8.8", ())):
        Visitors(proxies).source(peer, Headers({"x-forwarded-for": "198.51.100.7"}))
    logging.shutdown()
    capsys.readouterr()
    for named, told in (("192.168.0.0/16", ["10.0.0.7"]), ("192.168.0.0/16,10.0.0.7", [])):
        found = faults(capsys, *web, "--web-proxy-from", named)
        assert [line.split()[1] for line in found] == told


def test_links_that_lead_to_everybody_s_own_machine_were_well(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The compose files take https://localhost for PATCHBAY_WEB_URL where no PATCHBAY_DOMAIN is set."""
    web = ("--web-port", "8080", "--web-proxy-from", "10.0.0.7", "--contact", "mira")
    public = ("--host", "0.0.0.0", "--public-address", "play.example.org")
    [fault] = faults(capsys, *web, *public, "--web-url", "https://localhost")
    assert "PATCHBAY_DOMAIN" in fault
    assert faults(capsys, *web, *public, "--web-url", "https://play.example.org") == []
    assert faults(capsys, *web, "--web-url", "https://localhost") == [], "on one's own machine"


def test_a_port_that_another_program_has_is_told(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        code = main(["doctor", "--port", str(other.getsockname()[1])])
    assert code == 1
    assert capsys.readouterr().out.startswith("port: another program has 127.0.0.1:")


def test_a_clock_that_was_set_forward_beside_a_running_server_was_well() -> None:
    """Set back it was told. People read another time than the machine's all night."""
    now = datetime(2026, 1, 1, 12, tzinfo=UTC)
    before, later = now - timedelta(hours=1), now + timedelta(hours=1)
    ahead, behind = doctor.clock_fault(now, before, 3600.0), doctor.clock_fault(now, later, -3600.0)
    assert ahead is not None
    assert "3600 s ahead" in ahead
    assert behind is not None
    assert "3600 s behind" in behind
    assert [doctor.clock_fault(now, last, ahead_s) for last, ahead_s in ((before, None), (now, 1.0), (None, None))] == [
        None
    ] * 3
    assert doctor.clock_fault(now, later, None) is not None


def test_a_server_that_is_starting_is_no_other_program(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its port is taken before it listens: the doctor said to stop it."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        code = main(["doctor", "--port", str(port)])
    assert code == 1
    assert doctor.HELD.format(where=f"127.0.0.1:{port}") in capsys.readouterr().out


def test_a_full_disk_and_few_files_are_told(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(data)
    monkeypatch.setattr(doctor, "FREE_BYTES", usage.total + 1)
    monkeypatch.setattr(doctor, "OPEN_FILES", 10**9)
    assert [one.split(":")[0] for one in faults(capsys)] == ["disk", "open files"]


def test_on_a_full_disk_the_doctor_sent_the_admin_to_other_settings(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that runs could not store that it does: `a server answers, and does not use this database`."""

    async def answers(host: str, settings: Settings) -> str:
        return doctor.OURS

    def full(connection: Connection, number: int) -> None:
        raise OperationalError("UPDATE", {}, Exception("database or disk is full"))

    monkeypatch.setattr(check, "greeting", answers)
    assert main(["doctor"]) == 1
    assert "does not use this database" in capsys.readouterr().out
    monkeypatch.setattr(doctor, "try_write", full)
    assert main(["doctor"]) == 1
    [fault] = capsys.readouterr().out.splitlines()
    assert fault.startswith("database: it takes no writes (")
    assert "database or disk is full" in fault


def test_a_file_or_somebody_else_s_directory_was_to_be_closed_to_others(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`chmod go= /etc/passwd` was the advice where that was named as the data directory, and so for /srv."""
    file = data.with_name("notes")
    file.touch()
    others = data.with_name("srv")
    (others / "www").mkdir(parents=True)
    for path in (file, others, others / "www"):
        path.chmod(0o755)
    for named, wrong in ((file, "is no directory"), (others, "holds other things than Patchbay's")):
        told = faults(capsys, "--data-dir", str(named), "--database-url", f"sqlite:///{data / 'patchbay.db'}")
        assert [one for one in told if "chmod" in one] == []
        [fault] = [one for one in told if one.startswith("data directory: ")]
        assert wrong in fault
        assert doctor.OWN_DIRECTORY in fault


def test_a_new_disk_was_said_to_hold_other_things(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (disk := tmp_path / "disk").mkdir(mode=0o700)
    (disk / "lost+found").mkdir(mode=0o700)
    told = faults(capsys, "--data-dir", str(disk), "--database-url", f"sqlite:///{data / 'patchbay.db'}")
    assert [one for one in told if one.startswith("data directory: ")] == []


def test_a_read_only_disk_was_to_be_given_to_another_user(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: mode == os.R_OK)
    read_only = os.statvfs_result((*os.statvfs(data)[:8], os.ST_RDONLY, 255))
    monkeypatch.setattr(os, "statvfs", lambda path: read_only)
    told = "\n".join(faults(capsys))
    assert "its file system is read-only" in told
    assert "chown" not in told


def test_bots_that_can_not_be_started_are_told(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    [fault] = faults(capsys)
    assert fault.startswith("bots: none can be played against")


def test_what_the_doctor_tries_in_vain_stands_in_no_log(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The server's log said that the bus was lost, which only the doctor had not reached."""
    file = data / "logs" / "patchbay.log"
    file.parent.mkdir(mode=0o700, exist_ok=True)
    file.touch(mode=0o600)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        [fault] = faults(capsys, "--bus-url", f"redis://127.0.0.1:{closed.getsockname()[1]}/0")
    assert fault.startswith("bus: no answer from 127.0.0.1 (ConnectionError: "), "and why"
    assert file.read_text() == ""


@pytest.mark.services
def test_a_bus_that_does_not_answer_is_told(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        [fault] = faults(capsys, "--bus-url", f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
    assert fault.startswith("bus: no answer")
    assert faults(capsys, "--bus-url", REDIS_URL) == []


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path / "served")
    server.start()
    yield server
    assert server.stop() == 0


async def told_by_doctor(server: Server, data: Path) -> str:
    """Return what the doctor says beside a server, of this data directory and the server's port."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PATCHBAY_")}
    ours = {"PATCHBAY_DATA_DIR": str(data), "PATCHBAY_PORT": str(server.port), "PYTHONPATH": str(ROOT)}
    _, out, err = await run([sys.executable, "-m", "server", "doctor"], env={**kept, **ours})
    assert out or "all well" in err, err
    return out


async def test_a_drained_server_is_told(server: Server) -> None:
    """Nobody came in, and all was well."""
    assert await told_by_doctor(server, server.data_dir) == ""
    assert (await server.beside("admin", "drain"))[0] == 0
    assert (await told_by_doctor(server, server.data_dir)).startswith("drained: nobody is let in since ")
    assert (await server.beside("admin", "undrain"))[0] == 0
    assert await told_by_doctor(server, server.data_dir) == ""


async def test_settings_that_are_not_the_running_server_s_are_told(server: Server, data: Path) -> None:
    """With a secret that only the unit had, commands worked on an empty database, and all was well."""
    assert "a server answers on port" in await told_by_doctor(server, data)
