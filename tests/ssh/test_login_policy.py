"""Who may come in at all: guests off, accounts by invitation or none, a list of keys, admins by fingerprint."""

from __future__ import annotations

import asyncio
import contextlib
import json
from pathlib import Path

import asyncssh
import pytest

from server.admission.login_policy import LoginPolicy, read_keys
from server.config import Settings
from tests.ssh.client import fingerprint, new_key
from tests.ssh.server import Server, running
from tests.texts import en
from tests.waiting import PATIENCE_S


async def test_with_guests_off_only_accounts_come_in(tmp_path: Path) -> None:
    key = new_key(tmp_path, "mira")
    with running(tmp_path, {"PATCHBAY_GUESTS": "off"}) as server:
        for who, why in ((None, "door.no-guests"), (key, "door.register-first")):
            for command in ("games --json", "top rainet", "bot"):
                status, out, err = await server.ssh(command, key=who)
                assert (status, out) == (4, ""), (who, command)
                assert en(why, line="").strip() in err
        status, out, _ = await server.ssh("whoami --json", key=key)
        assert (status, json.loads(out)["guest"]) == (0, True)
        assert (await server.ssh("register mira", key=key))[0] == 0
        assert (await server.ssh("games --json", key=key))[0] == 0


async def test_an_invitation_code_registers_as_often_as_it_says(tmp_path: Path) -> None:
    first, second = new_key(tmp_path, "first"), new_key(tmp_path, "second")
    with running(tmp_path, {"PATCHBAY_ACCOUNTS": "invite"}) as server:
        status, code, _ = await server.beside("admin", "invite", "--for", "1d")
        assert status == 0
        status, _, err = await server.ssh("register mira", key=first)
        assert (status, en("accounts.invitation") in err) == (1, True)
        status, _, err = await server.ssh("register mira --invitation aaaaa-bbbbb-ccccc", key=first)
        assert (status, en("code.unknown") in err) == (1, True)
        assert (await server.ssh(f"register mira --invitation {code.strip()}", key=first))[0] == 0
        assert (await server.ssh(f"register tarn --invitation {code.strip()}", key=second))[0] == 1
        for _ in range(10):
            status, _, err = await server.ssh("register tarn --invitation aaaaa-bbbbb-ccccc", key=second)
        assert (status, "wrong_codes_per_hour" in err) == (5, True)


async def test_the_first_admin_comes_by_fingerprint_where_nobody_may_register(tmp_path: Path) -> None:
    boss, other = new_key(tmp_path, "boss"), new_key(tmp_path, "other")
    settings = {"PATCHBAY_ACCOUNTS": "closed", "PATCHBAY_ADMIN_KEYS": fingerprint(boss)}
    with running(tmp_path, settings) as server:
        status, _, err = await server.ssh("register tarn", key=other)
        assert (status, en("accounts.closed") in err) == (1, True)
        assert (await server.ssh("register mira", key=boss))[0] == 0
        status, out, _ = await server.ssh("whoami --json", key=boss)
        assert json.loads(out)["roles"] == ["admin"]
        status, out, _ = await server.beside("admin", "audit")
        assert "(settings)\tgrant\tmira" in out
        assert (await server.beside("admin", "revoke", "mira", "--role", "admin"))[0] == 0
        status, out, _ = await server.ssh("whoami --json", key=boss)
        assert json.loads(out)["roles"] == ["admin"], "whose key the settings name is an admin at each login"


async def test_only_listed_keys_come_in_and_the_list_is_read_again(tmp_path: Path) -> None:
    mira, tarn = new_key(tmp_path, "mira"), new_key(tmp_path, "tarn")
    listed = tmp_path / "authorized_keys"
    listed.write_text(f"# friends\nno-pty {(tmp_path / 'mira.pub').read_text()}")
    with running(tmp_path, {"PATCHBAY_ALLOWED_KEYS": str(listed)}) as server:
        assert (await server.ssh("register mira", key=mira))[0] == 0
        status, out, err = await server.ssh("whoami", key=tarn)
        assert (status, out) == (4, ""), "its login goes on as a guest's, who are not let in either"
        assert en("door.listed-only", line="").strip() in err
        assert (await server.ssh("whoami"))[0] == 4
        listed.write_text((tmp_path / "tarn.pub").read_text())
        assert (await server.ssh("whoami", key=mira))[0] == 4
        assert (await server.ssh("register tarn", key=tarn))[0] == 0
        listed.unlink()
        assert (await server.ssh("whoami", key=tarn))[0] == 0, "what can't be read any more counts as it was"
        listed.write_text("# nobody\n")
        assert (await server.ssh("whoami", key=tarn))[0] == 4


async def test_a_key_taken_off_the_list_kept_its_open_sessions(tmp_path: Path) -> None:
    mira, tarn = new_key(tmp_path, "mira"), new_key(tmp_path, "tarn")
    listed = tmp_path / "authorized_keys"
    both = [(tmp_path / f"{name}.pub").read_text() for name in ("mira", "tarn")]
    listed.write_text("".join(both))
    with running(tmp_path, {"PATCHBAY_ALLOWED_KEYS": str(listed)}) as server:
        assert (await server.ssh("register mira", key=mira))[0] == 0
        assert (await server.ssh("register tarn", key=tarn))[0] == 0
        async with server.bot(key=mira) as gone, server.bot(key=tarn) as stays:
            listed.write_text(both[1])
            assert await asyncio.wait_for(gone.hung_up(), PATIENCE_S) == 4
            await stays.ask(do="rooms")


def test_the_address_of_a_listed_key_counts(tmp_path: Path) -> None:
    key = asyncssh.generate_private_key("ssh-ed25519")
    file = tmp_path / "keys"
    file.write_text(f'from="192.0.2.*" {key.export_public_key().decode()}')
    login_policy = LoginPolicy(Settings(allowed_keys=file))
    assert login_policy.admits_key(key.convert_to_public(), "192.0.2.7")
    assert not login_policy.admits_key(key.convert_to_public(), "198.51.100.7")


def test_a_line_that_is_no_key_is_told_by_its_number() -> None:
    key = asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode()
    with pytest.raises(ValueError, match="line 4"):
        read_keys(f"{key}\n\nssh-ed25519 nonsense\n")


async def test_a_balancer_that_sends_no_proxy_header_was_cut_off_without_a_word_in_the_log(tmp_path: Path) -> None:
    with running(tmp_path, {"PATCHBAY_PROXY_FROM": "127.0.0.1"}) as server:
        for _ in range(3):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(b"SSH-2.0-Balancer\r\n")
            with contextlib.suppress(ConnectionError):
                assert await asyncio.wait_for(reader.read(), PATIENCE_S) == b""
            writer.close()
        assert server.errors().count("let the balancer send one") == 1, "once a minute"
        assert "source=127.0.0.1" in server.errors()


@pytest.mark.parametrize("setting", ["PATCHBAY_ALLOWED_KEYS", "PATCHBAY_MOTD"])
def test_a_file_that_can_not_be_read_stops_the_start_with_its_setting(setting: str, tmp_path: Path) -> None:
    server = Server(tmp_path / "var", {setting: str(tmp_path / "nowhere")})
    with pytest.raises(AssertionError, match="did not start"):
        server.start()
    [said] = [line for line in server.errors().splitlines() if "can't start" in line]
    assert setting in said
