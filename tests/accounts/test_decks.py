"""Decks of people's own: kept, changed, limited, given out and taken away with the account; on both databases."""

from __future__ import annotations

import json

import pytest

from server.accounts import decks as limits
from server.accounts.accounts import Accounts
from server.accounts.decks import Decks
from server.accounts.errors import AccountError
from server.config import Limits
from server.store.database import Database
from server.store.decks import StoredDeck
from tests.accounts.exports import gathered
from tests.accounts.keyring import public_key
from tests.clocks import FakeClock
from tests.store.builders import START


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def mira(either: Database, clock: FakeClock) -> int:
    made = await Accounts(either, clock, Limits()).register("mira", public_key("mira"), "192.0.2.1")
    return made.account.id


@pytest.fixture
def decks(either: Database, clock: FakeClock) -> Decks:
    return Decks(either, clock)


def deck(name: str = "Fast", text: str = "3 Diesel", deck_id: int = 0, seat: int = 1) -> StoredDeck:
    return StoredDeck(deck_id, "netrunner", seat, name, text, START)


async def test_a_deck_is_kept_changed_and_taken_away(decks: Decks, mira: int) -> None:
    made = await decks.save(mira, deck())
    assert await decks.of(mira) == [made]
    renamed = await decks.save(mira, deck("Faster", "2 Diesel", made.id))
    assert await decks.of(mira) == [renamed]
    assert (renamed.id, renamed.name, renamed.list) == (made.id, "Faster", "2 Diesel")
    assert await decks.remove(mira, made.id)
    assert not await decks.remove(mira, made.id)
    assert await decks.of(mira) == []


async def test_a_name_stands_for_one_deck(decks: Decks, mira: int) -> None:
    first = await decks.save(mira, deck("Fast"))
    again = await decks.save(mira, deck("Fast", "1 Diesel"))
    assert again.id == first.id
    other = await decks.save(mira, deck("Other"))
    await decks.save(mira, deck("Fast", "2 Modded", other.id))
    assert [(one.id, one.list) for one in await decks.of(mira)] == [(other.id, "2 Modded")]


async def test_somebody_else_s_deck_is_out_of_reach(
    decks: Decks, mira: int, either: Database, clock: FakeClock
) -> None:
    made = await decks.save(mira, deck())
    tarn = (await Accounts(either, clock, Limits()).register("tarn", public_key("tarn"), "192.0.2.2")).account.id
    assert not await decks.remove(tarn, made.id)
    await decks.save(tarn, deck("Mine", "9 Diesel", made.id))
    assert await decks.of(mira) == [made]
    assert [one.name for one in await decks.of(tarn)] == ["Mine"]


async def test_a_deck_has_a_name_and_a_size(decks: Decks, mira: int) -> None:
    for bad, key in ((deck(" \x1b"), "deck.no-name"), (deck(text="x" * 4001), "deck.too-long")):
        with pytest.raises(AccountError) as refused:
            await decks.save(mira, bad)
        assert refused.value.key == key


async def test_control_characters_never_reach_the_store(decks: Decks, mira: int) -> None:
    made = await decks.save(mira, deck("Fa\x1b[2Jst", "3 Die\x07sel\n\n  2 Modded  "))
    assert "\x1b" not in made.name
    assert made.list == "3 Diesel\n2 Modded"


async def test_there_is_a_most_of_decks(decks: Decks, mira: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST", 2)
    made = [await decks.save(mira, deck(name)) for name in ("a", "b")]
    with pytest.raises(AccountError) as refused:
        await decks.save(mira, deck("c"))
    assert refused.value.key == "deck.too-many"
    await decks.save(mira, deck("a", "1 Modded", made[0].id))


async def test_decks_go_out_and_away_with_the_account(
    decks: Decks, mira: int, either: Database, clock: FakeClock
) -> None:
    await decks.save(mira, deck())
    accounts = Accounts(either, clock, Limits())
    exported = json.loads(json.dumps(await gathered(await accounts.export(mira))))
    assert [(row["name"], row["list"]) for row in exported["decks"]] == [("Fast", "3 Diesel")]
    await accounts.delete(mira)
    assert await decks.of(mira) == []
