"""What the code of a private room tells, and to whom."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import pytest

from game.contract import Seat
from server.accounts.identity import Player
from server.errors import RateLimited
from server.lobby.errors import LobbyRefused
from server.store.lobby import NoSuchRoom
from tests.agreements import agreed
from tests.lobby.opened import ROOM, OpenLobby, room_of_two, seated
from tests.matches.table import GUEST, LIO, MIRA, TARN

PRIVATE = agreed(ROOM, private=True)
EVE = "192.0.2.66"
Try = Callable[[], Awaitable[object]]


async def answer(attempt: Try) -> tuple[str, object]:
    """Return what a refusal says, to a person and to a program."""
    with pytest.raises(NoSuchRoom) as refused:
        await attempt()
    return refused.value.key, refused.value.params


async def test_codes_are_too_many_to_be_guessed_and_typed_as_they_are_said(lobby: OpenLobby) -> None:
    """Four letters were guessed in minutes."""
    lobby.arrive(MIRA)
    lobby.arrive(TARN)
    code = (await lobby.lobby.rooms.create(MIRA, PRIVATE, "mira-1")).code
    assert len(code) == 8
    said = f" {code[:4].lower()}-{code[4:]} "
    assert (await lobby.lobby.rooms.join(TARN, said, "tarn-1")).code == code


@pytest.mark.parametrize("sits", [True, False])
async def test_a_private_room_that_is_not_for_one_is_not_there(lobby: OpenLobby, sits: bool) -> None:
    """Who was blocked, or a guest before a rated room, learned that the code is one."""
    lobby.arrive(MIRA)
    rated = await lobby.lobby.rooms.create(MIRA, agreed(PRIVATE, rated=True), "mira-1")
    casual = await lobby.lobby.rooms.create(MIRA, PRIVATE, "mira-1")
    await lobby.block(MIRA, TARN)

    def asks(player: Player, code: str) -> Try:
        return lambda: lobby.lobby.rooms.find(player, code, EVE, sits)

    nothing = await answer(asks(TARN, "ZZZZZZZZ"))
    assert nothing == ("room.error.unknown", {})
    assert await answer(asks(TARN, casual.code)) == nothing
    assert await answer(asks(GUEST, rated.code)) == nothing
    assert (await lobby.lobby.rooms.find(GUEST, casual.code, EVE, sits)).code == casual.code


async def test_a_program_that_finds_no_seat_in_a_private_room_learns_no_more(lobby: OpenLobby) -> None:
    for player in (MIRA, TARN, LIO):
        lobby.arrive(player)
    room = await lobby.lobby.rooms.create(MIRA, PRIVATE, "mira-1")
    await lobby.lobby.rooms.join(TARN, room.code, "tarn-1")
    with pytest.raises(NoSuchRoom):
        await lobby.lobby.rooms.find(LIO, room.code, EVE, sits=True)
    assert (await lobby.lobby.rooms.find(LIO, room.code, EVE)).code == room.code, "one may look on"
    assert (await lobby.lobby.rooms.find(TARN, room.code, EVE, sits=True)).code == room.code, "it is their own seat"
    await room.set(MIRA, agreed(PRIVATE, watchable=False))
    with pytest.raises(NoSuchRoom):
        await lobby.lobby.rooms.join(LIO, room.code, "lio-1")


async def test_a_listed_room_says_why_it_is_not_open(lobby: OpenLobby) -> None:
    """The lobby shows it: there is nothing to hide."""
    for player in (MIRA, TARN, LIO):
        lobby.arrive(player)
    room = await lobby.lobby.rooms.create(MIRA, agreed(ROOM, watchable=False), "mira-1")
    await lobby.lobby.rooms.join(TARN, room.code, "tarn-1")
    with pytest.raises(LobbyRefused, match=r"room\.error\.not-watchable"):
        await lobby.lobby.rooms.join(LIO, room.code, "lio-1")


async def test_a_wrong_code_asks_the_store_as_much_as_one_that_is_not_for_one(lobby: OpenLobby) -> None:
    """How long the answer takes must not tell either."""
    lobby.arrive(MIRA)
    room = await lobby.lobby.rooms.create(MIRA, PRIVATE, "mira-1")
    await lobby.block(MIRA, TARN)
    asked: list[int] = []
    ask = lobby.conduct.blocks_among

    async def counted(ids: Sequence[int]) -> frozenset[tuple[int, int]]:
        asked.append(len(ids))
        return await ask(ids)

    lobby.conduct.blocks_among = counted  # type: ignore[method-assign]
    for code in ("ZZZZZZZZ", room.code):
        with pytest.raises(NoSuchRoom):
            await lobby.lobby.rooms.find(TARN, code, EVE)
    assert len(asked) == 2


async def test_all_ways_in_have_one_limit_and_listed_rooms_none(lobby: OpenLobby) -> None:
    """Each way had a limit of its own, or none."""
    lobby.arrive(MIRA)
    lobby.arrive(TARN)
    private = await lobby.lobby.rooms.create(MIRA, PRIVATE, "mira-1")
    listed = await lobby.lobby.rooms.create(MIRA, ROOM, "mira-1")
    ways: tuple[Try, ...] = (
        lambda: lobby.lobby.rooms.find(TARN, "ZZZZZZZZ", "127.0.1.2", sits=True),  # bot
        lambda: lobby.lobby.rooms.find(TARN, "ZZZZZZZZ", "127.0.1.2"),  # exec
        lambda: lobby.lobby.rooms.join(TARN, "ZZZZZZZZ", "tarn-1"),  # the screens
    )
    for i in range(100):
        with pytest.raises(NoSuchRoom):
            await ways[i % 3]()
    for way in ways:
        with pytest.raises(RateLimited):
            await way()
    with pytest.raises(RateLimited):
        await lobby.lobby.rooms.join(TARN, private.code, "tarn-1")
    with pytest.raises(RateLimited):
        await lobby.lobby.rooms.find(GUEST, private.code, "127.0.1.2")
    await lobby.table.wait(4)  # the lobby shows the room
    assert (await lobby.lobby.rooms.join(TARN, listed.code, "tarn-1")).code == listed.code
    assert (await lobby.lobby.rooms.find(LIO, private.code, EVE)).code == private.code, "a clean source"


async def test_a_page_that_knows_the_code_of_a_private_room_opens_it_to_nobody(lobby: OpenLobby) -> None:
    """`w` on a match's page led into the room that is by invitation only."""
    room = await room_of_two(lobby, PRIVATE)
    lobby.arrive(LIO)
    with pytest.raises(NoSuchRoom):
        await lobby.lobby.rooms.join(LIO, room.code, "lio-1", has_code=False)
    await lobby.lobby.rooms.join(LIO, room.code, "lio-1")
    again = await lobby.lobby.rooms.join(LIO, room.code, "lio-1", has_code=False)
    assert again.code == room.code, "who is in it comes back"


async def test_nobody_who_only_looks_on_becomes_the_host_of_a_private_room(lobby: OpenLobby) -> None:
    """When its two had left, it belonged to who had come to look."""
    room = await room_of_two(lobby, PRIVATE)
    lobby.arrive(LIO)
    await lobby.lobby.rooms.join(LIO, room.code, "lio-1")
    for session in ("mira-1", "tarn-1"):
        await room.left(session)
    assert [one.player.name for one in room.state.members] == ["lio"]
    assert room.state.host_name != "lio"
    with pytest.raises(LobbyRefused) as refused:
        await room.set(LIO, PRIVATE)
    assert refused.value.key == "room.error.not-host"


@pytest.mark.parametrize("was", [True, False], ids=["private", "listed"])
async def test_who_had_opened_a_room_for_the_wrong_people_had_to_leave_it(lobby: OpenLobby, was: bool) -> None:
    """Alone in it, its host may say anew who may come in: under another code, with the bots."""
    lobby.arrive(MIRA)
    settings = agreed(PRIVATE, private=was, players=3)
    room = await lobby.lobby.rooms.create(MIRA, settings, "mira-1")
    await room.add_bot(MIRA, Seat(1), "easy")
    wanted = agreed(settings, private=not was)
    fresh = await lobby.lobby.rooms.reopen(MIRA, room, wanted, "mira-1", lambda _: ())
    assert fresh.code != room.code
    assert fresh.state.agreement.private is not was
    assert seated(fresh) == ["mira", "bot:easy", None]
    lobby.arrive(TARN)
    await lobby.lobby.rooms.join(TARN, fresh.code, "tarn-1")
    with pytest.raises(LobbyRefused) as refused:
        await lobby.lobby.rooms.reopen(MIRA, fresh, settings, "mira-1", lambda _: ())
    assert refused.value.key == "room.error.opened-so"


@pytest.mark.parametrize("was", [True, False], ids=["private", "listed"])
async def test_whether_a_room_is_private_is_said_once(lobby: OpenLobby, was: bool) -> None:
    """Its chat and matches were for few; and a code that was listed is no secret."""
    room = await room_of_two(lobby, agreed(PRIVATE, private=was))
    with pytest.raises(LobbyRefused) as refused:
        await room.set(MIRA, agreed(PRIVATE, private=not was))
    assert refused.value.key == "room.error.opened-so"
    assert room.state.settings.agreement.private is was
