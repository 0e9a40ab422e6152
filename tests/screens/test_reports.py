"""The moderators' desk: what they read there, what they do, and that nobody else sees it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from server.accounts.identity import MODERATOR
from server.accounts.moderation import Report
from server.accounts.preferences import Preferences
from server.chat.errors import ChatRefused
from server.session.audience import SessionAudience
from server.store import conduct, processes
from server.store.processes import StoredSession
from tests.boards import golden
from tests.boards.positions import NOON
from tests.session.fakeserver import LONG_AGO, FakeServer, Seated, account
from tests.texts import en

SIZES = ((80, 24), (120, 40))
WHY = "shouts at everybody in the lobby, and at me in the match, after each single move he loses"
SAID = [
    {"name": "tarn" if i % 2 else "mira", "at": f"2026-01-02T11:{i:02}:00Z", "text": f"line {i}." + " grr" * (i % 5)}
    for i in range(30)
]
REPORT = Report(7, NOON, 1, 2, "tarn", "m1", WHY, SAID, by_handle="mira", about_handle="tarn")
OTHER = Report(8, NOON, None, None, "gone", None, "spam", [], by_handle=None, about_handle=None)
TARNS_KEY = account("tarn").fingerprint or ""


def muted_before(server: FakeServer) -> None:
    """Let tarn be here, muted for an hour, with a note."""
    server.add("tarn")
    server.run(conduct.record_act, "lio", "note", "tarn", "was asked", NOON)
    server.run(conduct.record_act, "omid", "mute", "tarn", "too loud", NOON)
    server.run(conduct.impose, "mute", "account", "2", "too loud", "omid", NOON, NOON + timedelta(hours=1))
    server.run(processes.arrive, "p1", 1, "here", NOON)
    server.run(processes.beat, "p1", NOON, [StoredSession("s1", "p1", "tarn", "192.0.2.7", NOON, 2, TARNS_KEY)])


def acts(server: FakeServer) -> list[tuple[str, str, str]]:
    """Return what moderators did, in order: the act, about whom, why."""
    return [(one.act, one.target, one.why) for one in reversed(server.run(conduct.audit_lines))]


def in_force(server: FakeServer) -> list[tuple[str, str, datetime | None]]:
    """Return the bans and mutes in force."""
    return [(one.act, one.target, one.until) for one in server.run(conduct.in_force, NOON)]


async def moderator(server: FakeServer, cols: int = 80, rows: int = 24, language: str = "") -> Seated:
    who = replace(account("omid"), roles=frozenset((MODERATOR,)))
    server.prefer(who.name, Preferences(calibrated=True, language=language))
    return await server.connect(who, cols, rows)


def keys_of(seated: Seated) -> str:
    return " ".join(seated.rows[-3:])


@pytest.mark.parametrize(("cols", "rows"), SIZES)
@pytest.mark.parametrize("language", ["en", "zh_CN"])
async def test_the_desk_looks_as_it_did(server: FakeServer, cols: int, rows: int, language: str) -> None:
    seated = await moderator(server, cols, rows, language)
    await seated.type("r")
    golden.check(f"desk-empty-{language}-{cols}", seated.text)
    server.report(REPORT)
    server.report(OTHER)
    muted_before(server)
    await seated.type("esc", "r")
    golden.check(f"desk-{language}-{cols}", seated.text)
    await seated.type("enter")
    golden.check(f"report-{language}-{cols}", seated.text)
    await seated.type("b")
    golden.check(f"ban-{language}-{cols}", seated.text)


async def test_only_moderators_have_the_key_and_are_told_what_waits(server: FakeServer) -> None:
    server.report(REPORT)
    for who, has in ((account("mira"), False), (replace(account("omid"), roles=frozenset((MODERATOR,))), True)):
        seated = await server.connect(who)
        assert ("r Reports" in keys_of(seated)) is has
        assert seated.says("reports.waiting", n=1) is has
        await seated.type("r")
        assert ("Reports · 1" in seated.rows[0]) is has
        await seated.hang_up()


async def test_a_report_is_read_from_its_last_line_back_to_its_first(server: FakeServer) -> None:
    server.report(REPORT)
    seated = await moderator(server)
    await seated.type("r", "enter")
    assert "line 29." in seated.text
    assert "line 0." not in seated.text
    await seated.type("home")
    assert "30 lines" in seated.text
    assert "line 0." in seated.text
    await seated.type("page down", "down")
    assert "line 0." not in seated.text
    await seated.type("end")
    assert "line 29." in seated.text


async def test_help_tells_moderators_alone_of_the_desk(server: FakeServer) -> None:
    seated = await moderator(server, 120, 60)
    await seated.type("?")
    assert seated.says("keys.staff.reports.help")
    other = await server.connect(account("mira"), 120, 60)
    await other.type("?")
    assert en("keys.list.open.help")[:15] in other.text
    assert not other.says("keys.staff.reports.help")


async def test_a_ban_has_its_reason_its_end_and_closes_the_report(server: FakeServer) -> None:
    server.report(REPORT)
    server.report(OTHER)
    seated = await moderator(server)
    await seated.type("r", "enter", "b", "down", "right", "right", "enter", *"shouting", "enter")
    assert WHY[:20] not in seated.text, "the words of who reported them are never what the banned read"
    assert seated.says("sanction.ask-ban", name="tarn")
    await seated.type("n")
    assert not in_force(server)
    await seated.type("enter", "y")
    assert acts(server) == [("ban", "tarn", "shouting"), ("report handled", "1", "")]
    assert in_force(server) == [("ban", "2", NOON + timedelta(days=7))]
    assert [report.about_name for report in server.reports] == ["gone"]
    assert seated.says("sanction.ban-done", name="tarn")
    assert "Reports · 1" in seated.rows[0]


async def test_of_somebody_who_is_here_the_key_and_the_address_can_be_banned(server: FakeServer) -> None:
    server.report(REPORT)
    muted_before(server)
    seated = await moderator(server, 120, 40)
    for steps, target in ((1, TARNS_KEY), (2, "192.0.2.7")):
        await seated.type("r", "enter", "b", *["right"] * steps)
        assert target in seated.text
        await seated.type(*["down"] * 3, "right", "enter", *"spam", "enter", "y")  # the report stays open
        await seated.type("esc", "esc")
        [ban, note] = acts(server)[-2:]
        assert (ban[0], ban[1].removesuffix("/32")) == ("ban", target)
        assert note == ("note", "tarn", f"ban {target}: spam")


async def test_a_mute_for_good_leaves_the_report_open_where_one_wants_that(server: FakeServer) -> None:
    server.report(REPORT)
    seated = await moderator(server)
    await seated.type("r", "enter", "m", *["right"] * 5, "down", "down", "right", "r", *"loud", "enter", "enter", "y")
    assert acts(server) == [("mute", "tarn", "loud")]
    assert in_force(server) == [("mute", "2", None)]
    assert len(server.reports) == 1
    assert "Report · tarn" in seated.rows[0]


async def test_notes_dismissals_and_what_is_taken_back(server: FakeServer) -> None:
    server.report(REPORT)
    muted_before(server)
    seated = await moderator(server)
    await seated.type("r", "enter", "n", *"asked nicely", "enter")
    await seated.type("l", "y")
    assert acts(server)[2:] == [("note", "tarn", "asked nicely"), ("unmute", "tarn", "")]
    assert not in_force(server)
    await seated.type("d", "y")
    assert not server.reports
    assert seated.says("reports.empty")
    assert seated.says("report.closed")


async def test_two_moderators_close_a_report_once(server: FakeServer) -> None:
    server.report(REPORT)
    seated = await moderator(server)
    await seated.type("r", "enter")
    assert await server.moderate(account("omid")).close_report(1)
    await seated.type("d", "y")
    assert seated.says("report.closed-already")


async def test_about_somebody_who_is_gone_there_is_only_the_report(server: FakeServer) -> None:
    server.report(OTHER)
    seated = await moderator(server)
    await seated.type("r", "enter")
    assert "deleted" in seated.text
    assert "Ban" not in keys_of(seated)
    await seated.type("b", "m", "n")
    assert "Report · gone" in seated.rows[0]
    await seated.type("d", "y")
    assert not server.reports


async def test_a_moderator_with_a_young_key_is_told_and_does_nothing(server: FakeServer) -> None:
    server.report(REPORT)
    server.add("omid", added_at=NOON)
    server.add_key("omid", "older", LONG_AGO)
    seated = await moderator(server)
    await seated.type("r")
    assert seated.rows[0].startswith(" Lobby")
    assert en("key.young", until="")[:30] in seated.text
    assert "r Reports" in keys_of(seated), "the role stays"


async def test_whose_role_was_taken_meanwhile_does_nothing_more(server: FakeServer) -> None:
    server.report(REPORT)
    seated = await moderator(server)
    await seated.type("r", "enter", "b")
    await server.accounts.set_role(6, MODERATOR, held=False)
    await seated.type("enter", *"spam", "enter", "y")
    assert not in_force(server)
    assert seated.rows[0].startswith(" Lobby")
    assert seated.says("reports.not-allowed")
    assert "r Reports" not in keys_of(seated)


async def test_a_role_that_is_given_shows_at_once(server: FakeServer) -> None:
    seated = await server.connect(account("omid"))
    assert "r Reports" not in keys_of(seated)
    seated.session.set_roles(frozenset((MODERATOR,)))
    await seated.settle()
    assert "r Reports" in keys_of(seated)


async def test_a_report_that_is_made_now_is_told_to_moderators_and_nobody_else(server: FakeServer) -> None:
    seated, other = await moderator(server), await server.connect(account("mira"))
    server.report(REPORT)
    for one in (seated, other):
        SessionAudience(one.session).reported()
        await one.settle()
    assert seated.says("reports.waiting", n=1)
    assert not other.says("reports.waiting", n=1)
    await seated.type("r")
    server.report(OTHER)
    SessionAudience(seated.session).reported()
    await seated.settle()
    assert "Reports · 2" in seated.rows[0]


async def test_a_line_that_is_refused_while_one_types_on_is_told(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line being typed stood where refusals are told: who was muted saw their words vanish."""

    async def refuse(*said: object) -> None:
        raise ChatRefused("chat.muted", until="2026-01-03T10:00:00.000Z", why="shouting")

    monkeypatch.setattr(server.chat, "say", refuse)
    seated = await server.connect(account("mira"))
    await seated.type("t", *"hello", "enter")
    assert seated.says("chat.muted", until="2026-01-03 10:00 UTC", why="shouting")
    await seated.type("h")
    assert f"{en('lobby.say')} h" in seated.text


BANNED_KEY = "SHA256:" + "k" * 43


def held(server: FakeServer) -> None:
    """Let a mute and two bans be in force."""
    server.add("tarn")
    server.run(conduct.impose, "mute", "account", "2", "too loud", "omid", NOON, NOON + timedelta(hours=1))
    server.run(conduct.impose, "ban", "network", "2001:db8::/64", "a flood", "boss", NOON, None)
    server.run(conduct.impose, "ban", "key", BANNED_KEY, WHY, "boss", NOON, NOON + timedelta(days=1))


GUEST = Report(9, NOON, 1, None, "guest-x7k2mnpq", None, "spam", SAID, by_handle="mira", source="192.0.2.9")


async def test_the_end_of_a_long_reason_and_whom_to_write_to_stood_nowhere(server: FakeServer) -> None:
    why = " ".join(f"word{i}" for i in range(60))
    server.run(conduct.impose, "ban", "key", BANNED_KEY, why, "boss", NOON, NOON + timedelta(days=1))
    server.settings = server.settings.model_copy(update={"contact": "mods@example.org"})
    seated = await moderator(server)
    await seated.type("r", "s")
    assert "word59" in seated.text
    assert seated.says("sanctions.appeal", contact="mods@example.org")
    assert f"{NOON + timedelta(days=1):%Y-%m-%d %H:%M}" in seated.text


async def test_who_is_muted_read_it_once_and_never_again(server: FakeServer) -> None:
    server.run(conduct.impose, "mute", "account", "1", "too loud", "omid", NOON, NOON + timedelta(hours=1))
    seated = await server.connect(account("mira"))
    await server.conduct.refresh()
    await seated.type("m")
    assert seated.says("chat.muted", until=f"{NOON + timedelta(hours=1):%Y-%m-%d %H:%M} UTC", why="too loud")
    server.clock.shift(3601)
    await seated.type("down")
    assert "too loud" not in seated.text


@pytest.mark.parametrize("language", ["en", "zh_CN"])
async def test_what_holds_looks_as_it_did(server: FakeServer, language: str) -> None:
    seated = await moderator(server, language=language)
    held(server)
    await seated.type("r", "s", "end")
    golden.check(f"held-{language}-80", seated.text)


async def test_bans_of_keys_and_networks_are_lifted_on_the_desk(server: FakeServer) -> None:
    seated = await moderator(server)
    held(server)
    await seated.type("r", "s", "down", "l", "n")
    assert len(in_force(server)) == 3
    await seated.type("l", "y", "l", "y")
    assert acts(server) == [("unban", "2001:db8::/64", ""), ("unban", BANNED_KEY, "")]
    assert en("sanctions.title", n=1) in seated.rows[0]
    await seated.type("l", "y")
    assert seated.says("sanctions.empty")
    assert "Lift" not in keys_of(seated)
    await server.accounts.set_role(6, MODERATOR, held=False)
    await seated.type("esc", "s")
    assert seated.rows[0].startswith(" Lobby")


async def test_a_guest_is_muted_and_banned_by_where_they_come_from(server: FakeServer) -> None:
    server.report(GUEST)
    seated = await moderator(server)
    await seated.type("r", "enter")
    assert seated.says("report.guest", name="guest-x7k2mnpq", source="192.0.2.9")
    assert "deleted" not in seated.text
    await seated.type("m")
    assert seated.says("sanction.guests", value="192.0.2.9")
    await seated.type(*["down"] * 3, "right", "enter", *"spam", "enter", "y")
    assert in_force(server) == [("mute", "192.0.2.9/32", NOON + timedelta(days=1))]
    assert acts(server)[1] == ("note", "guest-x7k2mnpq", "mute 192.0.2.9: spam")
    await seated.type("b", "enter", *"spam", "enter", "y")
    assert in_force(server)[1][:2] == ("ban", "192.0.2.9/32")
    assert not server.reports


async def test_of_a_guest_who_had_left_there_is_only_the_report(server: FakeServer) -> None:
    server.report(replace(GUEST, source=None))
    seated = await moderator(server)
    await seated.type("r", "enter", "b", "m")
    assert "Report · guest-x7k2mnpq" in seated.rows[0]
    assert seated.says("report.whence-unknown")
    assert "Ban" not in keys_of(seated)
