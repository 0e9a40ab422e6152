"""What `export-my-data` holds: what is the person's own, and nothing about anybody else."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, insert

from server.accounts.accounts import Accounts
from server.accounts.actor import CONSOLE, Actor
from server.accounts.conduct import Conduct
from server.accounts.moderation import Moderation
from server.bus.bus import LocalBus
from server.config import Limits
from server.lobby import room_document, room_state
from server.lobby.model import RoomSettings
from server.lobby.room_state import Member
from server.matches.agreement import Agreement
from server.store import chat as chat_store
from server.store import decks, lobby, matches, personal_data, processes
from server.store.accounts import set_role
from server.store.arrangements import arrange
from server.store.columns import Json
from server.store.database import Database
from server.store.decks import StoredDeck
from server.store.matches import StoredSeat
from server.store.personal_data import AT_ONCE
from server.store.processes import StoredSession
from server.store.tables import entries
from tests.accounts.exports import gathered
from tests.accounts.keyring import public_key
from tests.clocks import FakeClock
from tests.matches.table import MIRA
from tests.store.builders import START, match

GUEST, ADDRESS, KEY = "guest-x7k2mnpq", "198.51.100.7", "SHA256:" + "g" * 43


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def accounts(either: Database, clock: FakeClock) -> Accounts:
    return Accounts(either, clock, Limits(accounts_per_hour=100))


async def registered(accounts: Accounts, *handles: str) -> list[int]:
    return [(await accounts.register(one, public_key(one), "192.0.2.1")).account.id for one in handles]


async def exported(accounts: Accounts, account_id: int) -> tuple[dict[str, Any], str]:
    """Return an export, and all of it as text."""
    data: dict[str, Any] = await gathered(await accounts.export(account_id))
    return data, json.dumps(data)


async def test_an_export_read_all_rows_of_a_list_in_one_step(either: Database, accounts: Accounts) -> None:
    """Of who had played much that was megabytes at once, in the middle of everybody's matches."""
    [mira] = await registered(accounts, "mira")
    n_rows = 2 * AT_ONCE + 1

    def fill(connection: Connection) -> None:
        for number in range(n_rows):
            chat_store.add(connection, "lobby", mira, "mira", f"line {number}", START)
            later = timedelta(seconds=number // 7)  # several begin at once
            matches.create(
                connection, replace(match(f"m{number}", StoredSeat("account", "mira", mira)), started_at=START + later)
            )

    await either.write(fill)
    sizes, found = list[int](), dict[str, list[Any]]()
    async for name, rows in await accounts.export(mira):
        sizes.append(len(rows))
        found.setdefault(name, []).extend(rows)
    assert max(sizes) == AT_ONCE
    assert [row["text"] for row in found["chat_lines"]] == [f"line {number}" for number in range(n_rows)]
    assert len({row["id"] for row in found["matches"]}) == len(found["matches"]) == n_rows
    assert [row["started_at"] for row in found["matches"]] == sorted(row["started_at"] for row in found["matches"])
    assert list(found) == list(personal_data.lists)


async def test_a_report_of_a_guest_gives_away_neither_their_address_nor_their_key(
    either: Database, clock: FakeClock, accounts: Accounts
) -> None:
    """Report a guest, export: the answer held where they came from."""
    [mira] = await registered(accounts, "mira")
    await either.write(processes.arrive, "p1", 1, "m", clock.now())
    guest = StoredSession("s9", "p1", GUEST, ADDRESS, clock.now(), None, KEY)
    await either.write(processes.beat, "p1", clock.now(), [guest])
    await Conduct(either, clock).report(mira, GUEST, "shouts")
    [held] = await Moderation(Actor(either, clock, LocalBus(), CONSOLE)).reports()
    assert (held.source, held.fingerprint) == (ADDRESS, KEY), "moderators have it"
    data, text = await exported(accounts, mira)
    assert [(one["about_name"], one["why"]) for one in data["reports_made"]] == [(GUEST, "shouts")]
    assert ADDRESS not in text
    assert KEY not in text


async def test_a_report_of_a_running_match_gives_a_player_nothing_of_what_the_gallery_says(
    either: Database, clock: FakeClock, accounts: Accounts
) -> None:
    """A seated player reads the gallery after the end; the copy in a report was read before."""
    mira, tarn = await registered(accounts, "mira", "tarn")
    held = (StoredSeat("account", "mira", mira), StoredSeat("account", "tarn", tarn))
    await either.write(matches.create, match("m1", *held))
    said = await either.write(chat_store.add, "gallery:m1", tarn, "tarn", "his link is on c4", START)
    own = await either.write(chat_store.add, "match:m1", mira, "mira", "good luck", START)
    lines: list[dict[str, Json]] = [{"name": one.name, "text": one.text} for one in (said, own)]
    await Conduct(either, clock).report(mira, "tarn", "stalls", lines, "m1")
    data, text = await exported(accounts, mira)
    assert [(one["match_id"], one["why"]) for one in data["reports_made"]] == [("m1", "stalls")]
    assert "his link" not in text
    assert [one["text"] for one in data["chat_lines"]] == ["good luck"]


async def test_what_others_did_about_somebody_is_not_theirs(
    either: Database, clock: FakeClock, accounts: Accounts
) -> None:
    mira, tarn, zoe = await registered(accounts, "mira", "tarn", "zoe")
    for moderator in (mira, zoe):
        await either.write(set_role, moderator, "moderator", True)
    conduct, desk = Conduct(either, clock), Moderation(Actor(either, clock, LocalBus(), "zoe"))
    await conduct.block(tarn, "mira")
    await conduct.block(mira, "tarn")
    await conduct.report(tarn, "mira", "a report about mira", [{"name": "lio", "text": "what lio said"}])
    await desk.remark("mira", "a note about mira")
    await desk.mute("mira", "too loud", timedelta(hours=1))
    await Moderation(Actor(either, clock, LocalBus(), "mira")).ban("203.0.113.9", "open proxy", None)
    data, text = await exported(accounts, mira)
    assert [one["blocked_id"] for one in data["blocks"]] == [tarn], "whom she has blocked, not who her"
    assert [(one["act"], one["why"]) for one in data["sanctions"]] == [("mute", "too loud")], "what she is told"
    assert [(one["act"], one["why"]) for one in data["acts"]] == [("ban", "open proxy")]
    for hidden in ("a report about", "what lio said", "a note about", "zoe", "203.0.113.9"):
        assert hidden not in text, hidden


async def test_what_is_hidden_in_a_running_match_and_in_private_rooms_is_in_no_export(
    either: Database, clock: FakeClock, accounts: Accounts
) -> None:
    mira, tarn = await registered(accounts, "mira", "tarn")
    held = (
        StoredSeat("account", "mira", mira, options={"deck": "3 Diesel"}),
        StoredSeat("account", "tarn", tarn, options={"deck": "3 Hedge Fund"}),
    )
    await either.write(matches.create, match("m1", *held, seed=b"\x5e" * 32, private=True, room="K7QXM2PT"))
    await either.write(matches.create, match("m2", StoredSeat("account", "tarn", tarn), private=True))
    await either.write(arrange, "m1", {"chance": "c0ffee"})
    await either.write(decks.save, tarn, StoredDeck(0, "netrunner", 0, "secret plan", "3 Hedge Fund", START))

    def hide(connection: Connection) -> None:
        row = {"match_id": "m1", "seq": 1, "kind": "action", "seat": 1, "action": "hides-a-card", "at": START}
        connection.execute(insert(entries).values(row))
        room = room_state.joined(
            room_state.opened("K7QXM2PT", RoomSettings(Agreement("rainet", private=True)), MIRA), Member("s", "p", MIRA)
        )
        lobby.add_room(connection, "K7QXM2PT", False, room_document.to_json(room), START)

    await either.write(hide)
    data, text = await exported(accounts, mira)
    assert [(one["id"], one["options"]) for one in data["matches"]] == [("m1", {"deck": "3 Diesel"})]
    for hidden in ("Hedge Fund", "secret plan", "hides-a-card", "5e5e5e5e", "c0ffee", "K7QXM2PT", "m2", "tarn"):
        assert hidden not in text, hidden
