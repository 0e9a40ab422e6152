"""Whom one follows: first in the list of people, in a line of the lobby, told of once."""

from __future__ import annotations

import pytest

from game.contract import Seat
from server.accounts import rate_limits
from server.accounts.preferences import Preferences
from server.store.following import followers_of
from tests.boards.positions import person
from tests.session.fakeserver import FakeServer, account, guest
from tests.session.stage import StagedMatch
from tests.texts import en


def playing(server: FakeServer) -> str:
    """Return a match that tarn plays."""
    return server.matches.add(StagedMatch("rainet", (person("tarn"), person("akio")), "m1")).id


async def followed(server: FakeServer, name: str) -> list[str]:
    return [one.handle for one in await server.following.of(server.add(name))]


async def test_who_is_followed_stands_first_and_in_the_lobby(server: FakeServer) -> None:
    for name in ("akio", "tarn", "zoe"):
        server.come(name)
    seated = await server.connect(account("mira"))
    t = seated.session.t
    assert not seated.says("lobby.followed", names="tarn")
    await seated.type("o", "down", "down", "f")
    assert seated.says("follow.followed", name="tarn")
    assert await followed(server, "mira") == ["tarn"]
    listed = [row for row in seated.rows if any(name in row for name in ("akio", "tarn", "zoe"))]
    assert "tarn" in listed[0]
    assert t("people.followed") in listed[0]
    await seated.type("esc")
    assert seated.says("lobby.followed", names="tarn")
    await seated.type("o", "home", "f")
    assert seated.says("follow.unfollowed", name="tarn")
    await seated.type("esc")
    assert not seated.says("lobby.followed", names="tarn")


async def test_who_is_away_may_be_waited_for_and_is_told_of_once(server: FakeServer) -> None:
    mira = account("mira")
    server.add("tarn")
    await server.following.follow(server.add("mira"), "tarn")
    seated = await server.connect(mira)
    await seated.type("o", "end", "t")
    assert seated.says("follow.tells.comes", name="tarn")
    await seated.type("esc")
    tarn = server.come("tarn")
    await server.look()
    assert seated.says("follow.told.comes", name="tarn")
    await seated.type("esc")
    tarn.leave()
    await server.look()
    server.come("tarn")
    await server.look()
    assert not seated.says("follow.told.comes", name="tarn")


async def test_a_note_is_written_and_read_on_the_profile(server: FakeServer) -> None:
    server.come("tarn")
    seated = await server.connect(account("mira"))
    await seated.type("o", "end", "n", *"fast", "enter")
    assert seated.says("note.kept", name="tarn")
    await seated.type("enter")
    assert seated.says("profile.note", text="fast")


async def test_being_invisible_is_chosen_in_the_settings(server: FakeServer) -> None:
    seated = await server.connect(account("mira"))
    t = seated.session.t
    await seated.type("m")
    rows = [row for row in seated.rows if t("me.invisible") in row or t("me.challenged-by") in row]
    assert t("me.challenged-by.all") in rows[0]
    assert t("form.no") in rows[1]
    while not seated.says("me.invisible.help"):
        await seated.type("down")
    await seated.type("right")
    for _ in range(3):
        await seated.settle()
    assert (stored := await server.accounts.by_handle("mira")) is not None
    assert stored.is_invisible
    assert seated.session.identity.is_invisible


async def test_somebody_read_that_nobody_sees_them_although_that_was_refused(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "ORDERS_PER_HOUR", 0)
    seated = await server.connect(account("mira"))
    await seated.type("m")
    while not seated.says("me.invisible.help"):
        await seated.type("down")
    await seated.type("right")
    for _ in range(3):
        await seated.settle()
    assert not seated.session.identity.is_invisible
    assert en("limit.reached", time="{time}").partition("{time}")[0].strip() in seated.text


@pytest.mark.parametrize("key", ["f", "t", "m", "n"])
async def test_the_keys_that_follow_were_silent_on_guests_and_oneself(server: FakeServer, key: str) -> None:
    server.come("guest-3f9a")
    seated = await server.connect(account("mira"))
    await seated.type("o", "home", key)
    assert seated.says("follow.guest", name="guest-3f9a")
    await seated.type("end", key)
    assert seated.says("people.yourself")


async def test_a_guest_follows_nobody(server: FakeServer) -> None:
    server.come("tarn")
    seated = await server.connect(guest())
    await seated.type("o", "home", "f")
    assert server.run(followers_of, server.add("tarn")) == frozenset()


async def test_all_who_follow_the_same_share_one_frame_of_the_lobby(server: FakeServer) -> None:
    """A line of one's own would have each follower's lobby composed for themselves."""
    seats = []
    server.add("tarn")
    for name in ("mira", "lio", "zoe"):
        who = account(name)
        await server.following.follow(server.add(name), "tarn")
        seats.append(await server.connect(who))
    tarn = server.come("tarn")
    await server.look()
    for seated in seats:
        assert seated.says("lobby.followed", names="tarn")
    before = len(server.renderings)
    server.presence.connections.place(tarn.session, playing(server), Seat(0))
    await server.look()
    for seated in seats:
        assert "tarn (" in seated.text
    assert len(server.renderings) - before == 1


async def test_who_follows_nobody_costs_the_same_whether_others_follow_or_not(server: FakeServer) -> None:
    """The same statements, none of them about following, and the same bytes."""
    tarn, lio, _ = server.add("tarn"), server.add("lio"), server.add("zoe")
    seated = await server.connect(account("mira"))
    server.come("tarn")
    connections, match_id = server.presence.connections, playing(server)
    said, cost = server.database.statements(), list[tuple[list[str], bytes]]()
    for is_followed in (False, True):
        if is_followed:
            await server.following.follow(lio, "tarn")
        for is_playing in (False, True):
            connections.unplace("tarn-1", match_id)
            if is_playing:
                connections.place("tarn-1", match_id, Seat(0))
            await server.look()
            said.clear()
            seated.wire.sent.clear()
        connections.unplace("tarn-1", match_id)
        zoe = server.come("zoe")
        await server.look()
        zoe.leave()
        cost.append((said.copy(), bytes(seated.wire.sent)))
    assert server.run(followers_of, tarn) == {lio}
    assert cost[0] == cost[1]
    assert cost[0][1], "the lobby was drawn"
    assert not [one for one in cost[0][0] if "follows" in one]


@pytest.mark.parametrize("followers", [20, pytest.param(500, marks=pytest.mark.soak)])
async def test_all_who_follow_one_person_share_the_composition_that_shows_them(
    server: FakeServer, followers: int
) -> None:
    server.add("tarn")
    names = [f"fan{n:03}" for n in range(followers)]
    for name in names:
        await server.following.follow(server.add(name), "tarn")
    seated = [await server.connect(account(name)) for name in names]
    for one in seated:
        await one.settle()
    server.renderings.clear()
    server.come("tarn", playing(server))
    await server.look()
    for one in seated:  # so many are drawn in slices
        await one.settle()
    assert len(server.renderings) == 1
    assert all(one.says("lobby.followed", names="tarn") or "tarn" in one.text for one in seated)


async def test_the_key_said_follow_also_of_who_is_followed(server: FakeServer) -> None:
    server.come("tarn")
    seated = await server.connect(account("mira"))
    t = seated.session.t
    await seated.type("o", "end")
    assert f"f {t('keys.people.follow')}" in seated.text
    await seated.type("f", "home")
    assert f"f {t('people.undo.follow')}" in seated.text
    await seated.type("enter")
    assert f"f {t('people.undo.follow')}" in seated.text
    await seated.type("f")
    assert f"f {t('keys.profile.follow')}" in seated.text


async def test_the_profile_of_who_is_followed_and_never_played_offered_to_follow_them(server: FakeServer) -> None:
    server.come("tarn")
    seated = await server.connect(account("mira"))
    offered = seated.session.t("keys.profile.follow.help")[:20]
    await seated.type("o", "end", "enter")
    assert offered in seated.text
    await seated.type("f")
    assert offered not in seated.text


async def test_notes_behind_names_stood_in_latin_brackets_in_chinese(server: FakeServer) -> None:
    server.add("tarn")
    server.prefer("mira", Preferences(calibrated=True, language="zh_CN"))
    await server.following.follow(server.add("mira"), "tarn")
    seated = await server.connect(account("mira"), 120, 40)
    server.come("tarn", playing(server))
    await server.look()
    await seated.settle()
    assert f"tarn（{seated.session.t('people.playing')}）" in seated.text
    assert "(" not in "".join(row for row in seated.rows if "tarn" in row)
