"""A queue that is too short after a while: everybody in it is asked whether to begin with those who are there."""

from __future__ import annotations

from dataclasses import replace

from server.accounts.identity import Player
from server.lobby.model import Asked
from server.lobby.seeking import SeekTicket
from tests.agreements import agreed
from tests.clocks import FakeClock
from tests.lobby.opened import TINY, OpenLobby, open_lobby
from tests.matches.table import LIO, MIRA, TARN, ZOE, SharedBus

ASKS = replace(agreed(TINY, players=4), asks=True)


async def waiting(lobby: OpenLobby, *players: Player) -> list[SeekTicket]:
    tickets = []
    for player in players:
        lobby.arrive(player)
        tickets.append(await lobby.lobby.seek(player, ASKS, f"{player.name}-1"))
    return tickets


def said(ticket: SeekTicket) -> tuple[int, int, bool] | None:
    asked: Asked | None = ticket.asked
    return None if asked is None else (asked.size, asked.agreed, asked.is_answered)


async def test_nobody_is_asked_before_a_while_has_passed(lobby: OpenLobby) -> None:
    mira, tarn, lio = await waiting(lobby, MIRA, TARN, LIO)
    heard: list[str] = []
    mira.on_asked = lambda: heard.append("mira")
    await lobby.table.wait(28)
    assert [said(one) for one in (mira, tarn, lio)] == [None] * 3
    await lobby.table.wait(4)
    assert [said(one) for one in (mira, tarn, lio)] == [(3, 0, False)] * 3
    assert mira.asked is not None
    assert (mira.asked.game, mira.asked.wished, heard) == ("tiny", 4, ["mira"])
    assert lobby.matches_of(MIRA) == []


async def test_it_begins_when_all_of_them_agree(lobby: OpenLobby) -> None:
    mira, tarn, lio = await waiting(lobby, MIRA, TARN, LIO)
    await lobby.table.wait(32)
    await lobby.lobby.answer(mira, agrees=True)
    assert said(mira) == (3, 1, True)
    await lobby.lobby.answer(tarn, agrees=True)
    await lobby.table.wait(5)
    assert [said(one) for one in (mira, tarn, lio)] == [(3, 2, True), (3, 2, True), (3, 2, False)]
    assert lobby.matches_of(LIO) == []
    await lobby.lobby.answer(lio, agrees=True)
    await lobby.wave()
    match = await lobby.table.matches.open(lobby.matches_of(MIRA)[0])
    assert sorted(player.name for player in match.terms.players) == ["lio", "mira", "tarn"]
    assert all(one.is_done for one in (mira, tarn, lio))


async def test_who_declines_waits_on_and_the_others_are_asked_anew(lobby: OpenLobby) -> None:
    mira, tarn, lio = await waiting(lobby, MIRA, TARN, LIO)
    await lobby.table.wait(32)
    await lobby.lobby.answer(mira, agrees=True)
    await lobby.lobby.answer(tarn, agrees=True)
    await lobby.lobby.answer(lio, agrees=False)
    await lobby.wave()
    assert said(lio) is None
    assert [said(one) for one in (mira, tarn)] == [(2, 0, False)] * 2, "three they agreed to, two are something else"
    await lobby.lobby.answer(mira, agrees=True)
    await lobby.lobby.answer(tarn, agrees=True)
    await lobby.wave()
    assert len(lobby.matches_of(MIRA)) == len(lobby.matches_of(TARN)) == 1
    assert lobby.matches_of(LIO) == []
    assert not lio.is_done
    await waiting(lobby, ZOE)
    await lobby.table.wait(40)
    assert said(lio) is None, "fewer than the three that were declined"


async def test_who_comes_later_is_asked_at_once_and_the_full_table_needs_no_answer(lobby: OpenLobby) -> None:
    mira, tarn = await waiting(lobby, MIRA, TARN)
    await lobby.table.wait(32)
    assert said(mira) == (2, 0, False)
    await lobby.lobby.answer(tarn, agrees=False)
    [lio] = await waiting(lobby, LIO)
    await lobby.wave()
    assert [said(one) for one in (mira, tarn, lio)] == [(3, 0, False)] * 3, "three is more than the two declined"
    await waiting(lobby, ZOE)
    await lobby.wave()
    assert len(lobby.matches_of(LIO)) == 1


async def test_a_switch_beforehand_is_a_standing_answer(lobby: OpenLobby) -> None:
    lobby.arrive(TARN)
    lobby.arrive(LIO)
    [mira] = await waiting(lobby, MIRA)
    tarn = await lobby.lobby.seek(TARN, replace(agreed(TINY, players=4), fewest=2))
    lio = await lobby.lobby.seek(LIO, agreed(TINY, players=4))
    await lobby.table.wait(32)
    assert said(mira) == (2, 1, False)
    assert said(tarn) == (2, 1, True)
    assert said(lio) is None
    await lobby.lobby.answer(mira, agrees=True)
    await lobby.wave()
    assert len(lobby.matches_of(TARN)) == 1
    assert lobby.matches_of(LIO) == []


async def test_who_wished_for_just_so_many_need_not_be_asked(lobby: OpenLobby) -> None:
    [mira] = await waiting(lobby, MIRA)
    lobby.arrive(TARN)
    lobby.arrive(LIO)
    for player in (TARN, LIO):
        await lobby.lobby.seek(player, agreed(TINY, players=3))
    await lobby.table.wait(32)
    assert said(mira) == (3, 2, False)
    await lobby.lobby.answer(mira, agrees=True)
    await lobby.wave()
    assert lobby.matches_of(MIRA) == lobby.matches_of(LIO) != []


async def test_a_search_that_ends_takes_its_question_along(lobby: OpenLobby) -> None:
    mira, tarn = await waiting(lobby, MIRA, TARN)
    await lobby.table.wait(32)
    tarn.cancel()
    await lobby.table.wait(2)
    assert said(mira) is None
    await lobby.lobby.answer(mira, agrees=True)
    assert not mira.is_done


async def test_people_in_three_processes_are_asked_together(url: str, clock: FakeClock) -> None:
    bus = SharedBus(is_deaf=True)
    async with (
        open_lobby(url, clock, bus) as one,
        open_lobby(url, clock, bus, seed=8) as two,
        open_lobby(url, clock, bus, seed=9) as three,
    ):
        lobbies = (one, two, three)
        tickets = [(await waiting(each, player))[0] for each, player in zip(lobbies, (MIRA, TARN, LIO), strict=True)]

        async def wait(seconds: float) -> None:
            for _ in range(round(seconds * 4)):  # all processes live on: one whose heartbeat stops is thought dead
                await clock.advance(0.25)
                for each in lobbies:
                    await each.table.database.settle()

        await wait(34)
        assert [said(ticket) for ticket in tickets] == [(3, 0, False)] * 3
        for n, (each, ticket) in enumerate(zip(lobbies, tickets, strict=True)):
            assert one.matches_of(MIRA) == []
            await each.lobby.answer(ticket, agrees=True)
            await wait(2)
            if n < 2:
                assert {asked and asked[1] for asked in map(said, tickets)} == {n + 1}
        await wait(3)
        begun = one.matches_of(MIRA)
        assert len(begun) == 1
        assert two.matches_of(TARN) == three.matches_of(LIO) == begun
