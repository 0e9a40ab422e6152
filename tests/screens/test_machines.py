"""Machines bear their mark on every page, have ladders of their own, and are met by who wants to."""

from __future__ import annotations

from server.ratings.bradley_terry import SETTLED_AFTER
from tests.session.fakeserver import FakeServer, account


async def test_a_machine_bears_its_mark_in_who_on_its_profile_and_in_chat(server: FakeServer) -> None:
    ada = server.add("ada")
    await server.machines.declare(ada, "bot", None)
    for name in ("ada", "tarn"):
        server.come(name)
    seated = await server.connect(account("mira"))
    marked = seated.session.marked("ada")
    assert (marked != "ada", seated.session.marked("tarn")) == (True, "tarn")
    await server.chat.say("lobby", account("ada").player, "beep")
    await seated.settle()
    assert any(f"{marked}  beep" in row for row in seated.rows)
    await seated.type("o")
    assert any(marked in row for row in seated.rows)
    await seated.type("enter")
    assert seated.says("profile.machine")
    assert any(marked in row for row in seated.rows)


async def test_the_ladders_of_machines_are_one_key_away(server: FakeServer) -> None:
    seated = await server.connect(account("mira"))
    await seated.type("l")
    people = seated.rows[0]
    await seated.type("m")
    assert seated.says("ladder.machines", ladder=seated.session.t("ladder.rainet"))
    assert seated.says("ladders.empty-machines", n=SETTLED_AFTER), "only the title said that it is another ladder"
    assert f"m {seated.session.t('ladders.people')}" in seated.text
    await seated.type("m")
    assert seated.rows[0] == people
    assert seated.says("ladders.empty", n=SETTLED_AFTER)


async def test_who_wants_to_meets_machines_too(server: FakeServer) -> None:
    server.add("mira")
    seated = await server.connect(account("mira"))
    await seated.type("g")
    row = next(i for i, line in enumerate(seated.rows) if seated.session.t("form.seek-machines") in line)
    assert seated.session.t("form.no") in seated.rows[row]
    for _ in range(row):
        await seated.type("down")
        if seated.says("form.seek-machines.help"):
            break
    await seated.type("right")
    await seated.settle()
    assert seated.session.person.preferences.machines


async def test_an_account_is_marked_in_me_after_a_question(server: FakeServer) -> None:
    mira = account("mira")
    known = server.add("mira")
    seated = await server.connect(mira)
    await seated.type("m")
    for _ in range(20):
        if seated.says("me.machine.help"):
            break
        await seated.type("down")
    await seated.type("right")
    assert known not in server.machines.known
    assert seated.says("machine.ask-bot")
    await seated.type("y")
    await seated.settle()
    assert known in server.machines.known
    assert seated.says("machine.is-bot")
