"""What people are told to type: this server as they reached it, or as its setting says. Never a word to be replaced."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.i18n.catalogues import CHOICES
from tests.ssh.client import new_key
from tests.ssh.server import running
from tests.texts import read_catalogue


@pytest.mark.parametrize("language", CHOICES)
def test_no_text_says_host_to_be_replaced(language: str) -> None:
    """Advice, invitations and help said `ssh HOST …`, and nobody knows a server by that name."""
    said = [str(message.string) for message in read_catalogue(language) if message.id]
    assert [text for text in said if "HOST" in text or "主机" in text or "主機" in text] == []


async def test_help_and_refusals_say_the_port_that_the_caller_came_to(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        _, out, _ = await server.ssh("help")
        here = f"ssh -p {server.port} localhost"
        lines = [line.strip() for line in out.splitlines()]
        assert here in lines, out
        assert f"ssh -t -p {server.port} localhost join CODE" in lines
        assert "HOST" not in out
        status, out, err = await server.ssh("rename", "lio")
        assert (status, out) == (4, "")
        assert err.strip().endswith(f"ssh -i KEY -o IdentitiesOnly=yes -p {server.port} localhost")


async def test_invitations_say_the_address_that_the_setting_names(tmp_path: Path) -> None:
    with running(tmp_path, {"PATCHBAY_PUBLIC_ADDRESS": "play.example.org"}) as server:
        assert "to play: ssh play.example.org" in server.said
        key = new_key(tmp_path, "mira")
        await server.register("mira", key)
        _, out, _ = await server.ssh("help")
        assert "  ssh -t play.example.org join CODE\n" in out
        _, _, err = await server.ssh("keys", "code", key=key)
        assert "ssh play.example.org keys link " in err
        async with server.bot(key) as mira:
            made = await mira.ask(do="create", game="rainet")
            status, _, err = await server.ssh("join", made["code"])
        assert status == 4
        assert f"ssh -t play.example.org join {made['code']}" in err
