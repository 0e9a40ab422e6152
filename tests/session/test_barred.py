"""What somebody reads who has to leave: in the language of what they see."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from server.accounts.conduct import Refusal
from server.accounts.preferences import Preferences
from server.i18n.catalogues import CHOICES, catalogue
from server.i18n.refusals import barred
from server.session.audience import SessionAudience
from tests.session.fakeserver import FakeServer, account

UNTIL = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


def test_a_ban_is_said_with_its_end_and_whom_to_write_to() -> None:
    said = [
        barred(ban, "barred.leave", catalogue("en"))
        for ban in (Refusal("spam", None), Refusal("spam", UNTIL), Refusal("spam", None, "mods@example.org"))
    ]
    assert said == [
        "you have to leave: spam",
        "you have to leave until 2026-01-02 03:04 UTC: spam",
        "you have to leave: spam (write to mods@example.org about it)",
    ]


@pytest.mark.parametrize("language", [one for one in CHOICES if one != "en"])
def test_a_ban_was_said_in_english_on_chinese_screens(language: str) -> None:
    said = barred(Refusal("1", UNTIL, "2"), "barred.leave", catalogue(language))
    assert not set("abcdefghijklmnopqrstuvwxyz").intersection(said)


async def test_a_session_s_end_is_told_in_the_language_it_shows(server: FakeServer) -> None:
    server.prefer("mira", Preferences(calibrated=True, language="zh_CN"))
    seated = await server.connect(account("mira"))
    assert SessionAudience(seated.session).language() == "zh_CN"
