"""What the log says of logins, and how much an attack may write."""

from __future__ import annotations

import pytest

from server.ssh import loginlog
from server.ssh.auth import ProvenKey
from server.ssh.loginlog import LINES_EACH, MOST_SOURCES, SOURCES, LoginLog

Line = tuple[str, dict[str, object]]
KEY = ProvenKey("SHA256:abc", "ssh-ed25519 AAAA")


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[Line]:
    lines: list[Line] = []
    monkeypatch.setattr(loginlog.log, "info", lambda event, **fields: lines.append((event, fields)))
    return lines


async def test_a_login_has_a_line_with_its_outcome_key_and_source(said: list[Line]) -> None:
    log = LoginLog()
    log.succeeded("192.0.2.7", KEY)
    log.succeeded("192.0.2.8", None)
    assert said == [
        ("login", {"outcome": "key", "key": "SHA256:abc", "source": "192.0.2.7"}),
        ("login", {"outcome": "guest", "key": None, "source": "192.0.2.8"}),
    ]
    log.flush()


async def test_who_does_not_get_in_has_a_line_a_minute(said: list[Line]) -> None:
    log = LoginLog()
    for _ in range(1000):
        log.failed("192.0.2.7", "banned")
        log.failed("192.0.2.7", "no_login")
    assert said == []
    log.flush()
    assert said == [("logins", {"source": "192.0.2.7", "n_banned": 1000, "n_no_login": 1000})]
    log.flush()
    assert len(said) == 1


async def test_logins_without_end_are_counted_too(said: list[Line]) -> None:
    log = LoginLog()
    for _ in range(1000):
        log.succeeded("192.0.2.7", None)
    log.flush()
    assert len(said) == LINES_EACH + 1
    assert said[-1] == ("logins", {"source": "192.0.2.7", "n_guest": 1000 - LINES_EACH})


async def test_an_attack_from_everywhere_has_few_lines_and_takes_little_memory(said: list[Line]) -> None:
    log = LoginLog()
    for n in range(3 * MOST_SOURCES):
        log.failed(f"2001:db8::{n:x}", "too_many_knocking")
    for _ in range(5):
        log.failed("2001:db8::7", "too_many_knocking")
    log.flush()
    assert len(said) == SOURCES + 1
    assert said[0][1]["source"] == "2001:db8::7", "first of whom there is most"
    assert sum(int(str(fields["n_too_many_knocking"])) for _, fields in said) == 3 * MOST_SOURCES + 5
