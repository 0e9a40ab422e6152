"""Messages on screens: written from the list of people, told of when they come, read in order."""

from __future__ import annotations

import pytest

from server.accounts.identity import Player
from server.accounts.messages import StoredMessage
from server.terminal.look import Look
from tests.session.fakeserver import FakeServer, account


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
    seated.session.hear_message((await tarn_writes(server, "shall we play?")).id)
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
