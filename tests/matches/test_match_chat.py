"""Chat beside a match: the table, the gallery, and silence while others decide in secret."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from game.contract import Seat, Watcher
from server.accounts.identity import Identity
from server.matches.errors import MatchRefused
from server.matches.match import Match
from server.ssh.bot.session import BotSession
from tests.matches.table import LIO, MIRA, TARN, ZOE, Table
from tests.texts import en

A = Seat(0)


def said(match: Match, viewer: Seat | Watcher) -> list[tuple[str, str]]:
    return [(line.name, line.text) for line in match.snapshot(viewer).chat]


async def test_players_speak_at_the_table_and_watchers_in_the_gallery(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    match.subscribe(A, lambda: None)
    await table.database.settle()
    await match.say(MIRA, "good luck")
    await match.say(ZOE, "she will bid five")
    await table.wait(1)
    assert said(match, A) == [("mira", "good luck")]
    assert said(match, Watcher.PUBLIC) == [("mira", "good luck"), ("zoe", "she will bid five")]
    assert [line.seat for line in match.snapshot(Watcher.PUBLIC).chat] == [A, None]
    await match.resign(A)
    assert said(match, A) == [("mira", "good luck"), ("zoe", "she will bid five")]


async def test_what_was_said_looking_on_in_private_was_shown_to_all_once_the_players_shared_the_match(
    table: Table,
) -> None:
    """Who looked on had not agreed, and strangers may look from any seat once a match is over."""
    match = await table.begin(MIRA, TARN, private=True, room="K7QX4MRW")
    match.subscribe(A, lambda: None)
    table.matches.context.presence.rooms.store("K7QX4MRW", [LIO])
    await table.database.settle()
    await match.say(MIRA, "good luck")
    await match.say(LIO, "she always bids five")
    await match.resign(A)
    assert said(match, A) == [("mira", "good luck"), ("lio", "she always bids five")]
    await table.wait(1)
    await match.share(MIRA)
    await match.share(TARN)
    for eyes in (Watcher.PUBLIC, Watcher.OMNISCIENT, A):
        assert said(match, eyes) == [("mira", "good luck")]
    await table.wait(1)
    await match.say(ZOE, "well played")
    assert said(match, A) == [("mira", "good luck"), ("zoe", "well played")]


async def test_watchers_are_silent_where_the_players_agreed_on_that_until_the_end(table: Table) -> None:
    match = await table.begin(MIRA, TARN, gallery_chat=False)
    with pytest.raises(MatchRefused, match=r"match\.error\.agreed-otherwise"):
        await match.say(ZOE, "she will bid five")
    await match.say(MIRA, "good luck")
    await match.resign(A)
    await match.say(ZOE, "well played")


async def test_the_table_is_silent_while_more_than_two_decide_in_secret(table: Table) -> None:
    match = await table.begin(MIRA, TARN, LIO)
    with pytest.raises(MatchRefused):
        await match.say(MIRA, "bid low, I bid high")
    await match.say(ZOE, "how exciting")
    await table.play_on(match, lambda: any(one.window for one in match.live.shown.pending))
    await match.say(MIRA, "well done")


async def test_a_program_spoke_while_the_table_has_to_be_silent(table: Table) -> None:
    """`say` of the bot protocol went past the rule."""
    match = await table.begin(MIRA, TARN, LIO)
    match.subscribe(A, lambda: None)
    services: Any = SimpleNamespace(matches=table.matches, conduct=table.conduct, clock=table.clock, chat=table.chat)
    limits = SimpleNamespace(actions_per_min=1200, line_bytes=65536)
    services.settings = SimpleNamespace(limits=limits)
    identity = Identity(MIRA.account_id, MIRA.name, frozenset(), None, None, "", "192.0.2.1")
    sent: list[str] = []
    call: Any = SimpleNamespace(
        session="s1", identity=identity, put=sent.append, rate=lambda *_: 0, writer=SimpleNamespace(paused=False)
    )
    session, line = BotSession(call, services), json.dumps({"do": "say", "match": match.id, "text": "bid low"})
    await session.obey(line.encode())
    assert json.loads(sent[-1])["why"] == en("match.error.silence")
    assert said(match, A) == []
    await table.play_on(match, lambda: any(one.window for one in match.live.shown.pending))
    await session.obey(line.encode())
    assert json.loads(sent[-1])["type"] == "ok"
    assert said(match, A) == [("mira", "bid low")]


async def test_two_may_talk_while_they_decide(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    assert len(match.live.shown.pending) == 2
    match.subscribe(A, lambda: None)
    await match.say(MIRA, "your turn")
    assert said(match, A) == [("mira", "your turn")]


async def test_two_may_not_talk_while_one_of_them_begs(table: Table) -> None:
    """Passage §1.8. Only tables of more than two were silent then."""
    match = await table.begin(MIRA, TARN, game="passage", options={"deck": {"beg": 20, "judge": 0}}, seed=bytes(32))
    players = {Seat(0): MIRA, Seat(1): TARN}
    beggar = match.live.shown.pending[0].seat
    await match.say(players[beggar], "I am hungry")
    await table.play(match, beggar, "play beg")
    assert [(one.seat, one.prompt) for one in match.live.shown.pending] == [(1 - beggar, "beg")]
    for player in players.values():
        with pytest.raises(MatchRefused):
            await match.say(player, "give me that one")
    await match.say(ZOE, "poor thing")
    await table.play_any(match, 1 - beggar)
    await match.say(players[beggar], "thank you")
