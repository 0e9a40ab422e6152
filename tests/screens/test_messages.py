"""Messages on screens: written from the list of people, told of when they come, read in order."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, update

from server.accounts.identity import Player
from server.accounts.messages import PER_DAY, StoredMessage
from server.session.audience import SessionAudience
from server.store import tables
from server.terminal.look import Look
from tests.boards.positions import NOON, person
from tests.session.evening import MIDDLE, in_lobby
from tests.session.fakeserver import FakeServer, account
from tests.session.stage import StagedMatch


async def tarn_writes(server: FakeServer, text: str) -> StoredMessage:
    """Have Tarn, and Mira, follow each other, and Tarn write to her."""
    mira, tarn = server.add("mira"), server.add("tarn")
    await server.following.follow(mira, "tarn")
    await server.following.follow(tarn, "mira")
    return await server.messages.send(Player("account", "tarn", account_id=tarn), "mira", text)


async def test_a_message_is_written_and_an_answer_told_of_and_read(server: FakeServer) -> None:
    server.come("tarn")
    seated = await server.connect(account("mira"))
    await seated.type("o", "end", "m")
    assert seated.says("messages.none", name="tarn")
    await seated.type("enter", *"hello", "enter")
    assert [one.text for one in await server.messages.read(server.add("mira"), "tarn")] == ["hello"]
    assert "hello" in seated.text
    SessionAudience(seated.session).written_to((await tarn_writes(server, "shall we play?")).id)
    for _ in range(3):
        await seated.settle()
    assert seated.says("message.came", name="tarn", text="shall we play?")
    assert [row.split()[-1] for row in seated.rows[1:-2] if row.split()][-4::3] == ["hello", "play?"]


@pytest.mark.parametrize("cols", [40, 60, 80])
async def test_messages_were_cut_in_the_list(server: FakeServer, cols: int) -> None:
    """Only the chosen one could be read whole."""
    texts = [f"{n} {'a word or two ' * 8}end{n}" for n in range(2)]
    server.come("tarn")
    for text in texts:
        await tarn_writes(server, text)
    seated = await server.connect(account("mira"), cols, 24)
    await seated.type("o", "home", "m")
    shown = " ".join(seated.text.replace(Look().glyphs.pointer, "").split())
    assert all(text in shown for text in texts), seated.text
    assert sum("tarn  " in row for row in seated.rows[1:]) == 1, "what one person writes on end has one head"
    at = next(y for y, row in enumerate(seated.rows) if "0 a word" in row)
    await seated.click(6, at)
    assert seated.rows[at].startswith(f" {Look().glyphs.pointer} 0 a word")


async def test_who_wrote_while_one_was_away_is_told_in_the_lobby(server: FakeServer) -> None:
    await tarn_writes(server, "one")
    await tarn_writes(server, "two")
    seated = await server.connect(account("mira"))
    assert seated.says("message.waiting", names="tarn")
    await seated.type("o")
    assert seated.session.t("people.unread", n=2) in seated.text


async def test_a_young_account_learned_only_from_its_first_message_that_it_writes_none(server: FakeServer) -> None:
    account_id = server.add("mira")

    def make_young(connection: Connection) -> None:
        connection.execute(update(tables.accounts).where(tables.accounts.c.id == account_id).values(created_at=NOON))

    server.run(make_young)
    server.come("tarn")
    seated = await server.connect(account("mira"))
    await seated.type("o", "end", "m")
    assert seated.says("message.young", until="2026-01-03 12:00 UTC"), seated.text
    server.clock.shift(24 * 60 * 60)
    await seated.type("m", "enter")
    assert seated.session.prompts.typing is not None, "a day later it may"


async def test_a_message_that_was_refused_was_lost(server: FakeServer) -> None:
    server.come("tarn")
    seated = await server.connect(account("mira"))
    await seated.type("o", "end", "m")
    for n in range(PER_DAY):
        await server.messages.send(person("mira"), "tarn", f"{n}")
    await seated.type("enter", *"one more", "enter")
    typing = seated.session.prompts.typing
    assert typing is not None
    assert typing.field.text == "one more", "it may be kept for tomorrow"
    assert "one more" in seated.text
    await seated.type("esc")
    assert seated.session.prompts.typing is None


async def test_a_line_of_chat_that_was_refused_was_lost(server: FakeServer) -> None:
    seated = await server.connect(account("mira"))
    await seated.type("t")
    for n in range(40):
        await seated.type(*f"line {n}", "enter")
        typing = seated.session.prompts.typing
        assert typing is not None
        if typing.field.text:
            assert typing.field.text == f"line {n}", "it was said too soon after the others"
            return
    raise AssertionError("nothing was refused")


async def test_what_was_typed_on_before_a_line_of_chat_was_refused_lost_the_line(server: FakeServer) -> None:
    seated = await server.connect(account("mira"))
    await seated.type("t")
    for n in range(40):
        await seated.type("ctrl u", *f"line {n}")
        seated.screen.feed(b"\rand more")
        await seated.settle()
        typing = seated.session.prompts.typing
        assert typing is not None
        if typing.field.text != "and more":
            assert typing.field.text == f"line {n}and more"
            return
    raise AssertionError("nothing was refused")


async def test_keys_struck_before_a_name_was_refused_were_taken_for_commands(server: FakeServer) -> None:
    server.add("tarn")
    seated = await server.connect(account("mira"))
    await seated.type("m", "r", "ctrl u", *"tarn")
    typing = seated.session.prompts.typing
    assert typing is not None
    assert typing.prompt == Look().t("me.ask-handle")
    seated.screen.feed(b"\rq\r")
    await seated.settle()
    typing = seated.session.prompts.typing
    assert typing is not None
    assert typing.field.text == "tarnq"
    await seated.type("enter")
    assert seated.session.prompts.typing is None
    assert seated.session.identity.name == "tarnq"


async def test_what_was_said_in_a_match_before_could_not_be_read(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")), "m1", MIDDLE))
    for n in range(30):
        server.said(f"match:{match.id}", "tarn", f"sentence {n:02}")
    seated = await in_lobby(server, 120, 40)
    await seated.type("enter", "t")
    assert "sentence 29" in seated.text
    await seated.type("page up", "up")
    assert "sentence 23" in seated.text
    assert "sentence 24" not in seated.text
    await seated.type(*["page up"] * 20, "down")
    assert "sentence 01" in seated.text
    await seated.type("esc")
    assert "sentence 29" in seated.text


async def test_after_a_key_the_lobby_no_longer_said_that_somebody_had_written(server: FakeServer) -> None:
    await tarn_writes(server, "one")
    seated = await server.connect(account("mira"))
    t = seated.session.t
    told = t("lobby.followed", names=f"tarn ({t('people.unread', n=1)})")
    assert told in seated.text, "also while the writer is away"
    await seated.type("down", "down")
    assert told in seated.text
    await seated.type("o", "home", "m")
    assert seated.says("people.yourself"), "it said that nobody follows themselves"
    await seated.type("end", "m", "esc", "esc")
    assert told not in seated.text
