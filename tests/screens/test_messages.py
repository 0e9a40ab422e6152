"""Messages on screens: written from the list of people, told of when they come, read in order."""

from __future__ import annotations

from server.accounts.following import Followed
from server.accounts.messages import StoredMessage
from server.accounts.preferences import Preferences
from server.lobby.model import LobbyView, PersonHere
from tests.boards.positions import NOON
from tests.session.fakeserver import FakeServer, account


async def test_a_message_is_written_and_an_answer_told_of_and_read(server: FakeServer) -> None:
    server.lobby.view = LobbyView(1, NOON, (), (), (), (PersonHere("tarn", False, None, NOON),))
    seated = await server.connect(account("mira"))
    await seated.type("o", "home", "m")
    assert seated.says("messages.none", name="tarn")
    await seated.type("enter", *"hello", "enter")
    assert [one.text for one in server.messages.written] == ["hello"]
    assert "hello" in seated.text
    server.messages.written.append(StoredMessage(2, NOON, 2, "tarn", "mira", "shall we play?"))
    seated.session.hear_message(2)
    await seated.settle()
    assert seated.says("message.came", name="tarn", text="shall we play?")
    listed = [row for row in seated.rows if "mira  hello" in row or "tarn  shall" in row]
    assert len(listed) == 2


async def test_who_wrote_while_one_was_away_is_told_in_the_lobby(server: FakeServer) -> None:
    mira = account("mira")
    server.following.follows[mira.account_id or 0, "tarn"] = Followed(2, "tarn", NOON, None, unread=2)
    server.accounts.kept[mira.account_id or 0] = Preferences(calibrated=True, follows=True)
    seated = await server.connect(mira)
    assert seated.says("message.waiting", names="tarn")
    await seated.type("o")
    assert seated.session.t("people.unread", n=2) in seated.text
