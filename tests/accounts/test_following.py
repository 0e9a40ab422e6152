"""Following, one-sided and limited; alerts that are told once; notes; export and deletion; on both databases."""

from __future__ import annotations

import json

import pytest

from server.accounts import following as limits
from server.accounts.accounts import Accounts
from server.accounts.errors import AccountError
from server.accounts.following import COMES, PLAYS, Following
from server.config import Limits
from server.errors import Refused
from server.store import conduct
from server.store.database import Database
from tests.accounts.exports import gathered
from tests.accounts.keyring import public_key
from tests.clocks import FakeClock


@pytest.fixture
async def ids(either: Database) -> dict[str, int]:
    accounts = Accounts(either, FakeClock(), Limits())
    made = [await accounts.register(name, public_key(name), f"192.0.2.{i}") for i, name in enumerate(NAMES)]
    return {one.account.handle: one.account.id for one in made}


NAMES = ("mira", "tarn", "lio")


@pytest.fixture
def following(either: Database) -> Following:
    return Following(either, FakeClock())


async def names(following: Following, account_id: int) -> list[str]:
    return [one.handle for one in await following.of(account_id)]


async def test_following_is_one_sided_and_ends(following: Following, ids: dict[str, int]) -> None:
    await following.follow(ids["mira"], "tarn")
    await following.follow(ids["mira"], "lio")
    await following.follow(ids["mira"], "tarn")
    assert await names(following, ids["mira"]) == ["lio", "tarn"]
    assert await names(following, ids["tarn"]) == []
    assert await following.unfollow(ids["mira"], "tarn")
    assert not await following.unfollow(ids["mira"], "tarn")
    assert await names(following, ids["mira"]) == ["lio"]


async def test_nobody_follows_themselves_nobody_or_too_many(
    following: Following, ids: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST", 1)
    await following.follow(ids["mira"], "tarn")
    for handle, key in (("mira", "follow.self"), ("nobody", "handle.unknown"), ("lio", "follow.too-many")):
        with pytest.raises(AccountError) as refused:
            await following.follow(ids["mira"], handle)
        assert refused.value.key == key
    assert await names(following, ids["mira"]) == ["tarn"]


async def test_an_alert_is_told_once(following: Following, ids: dict[str, int]) -> None:
    await following.follow(ids["mira"], "tarn")
    await following.set_alert(ids["mira"], ids["tarn"], COMES)
    assert [one.tell for one in await following.of(ids["mira"])] == [COMES]
    assert not await following.take_alert(ids["mira"], ids["tarn"], PLAYS)
    assert await following.take_alert(ids["mira"], ids["tarn"], COMES)
    assert not await following.take_alert(ids["mira"], ids["tarn"], COMES)


async def test_who_is_blocked_is_not_told_when_the_other_comes(
    following: Following, either: Database, ids: dict[str, int]
) -> None:
    """An event, and a notice to a telephone, had gone on to come to them."""
    await following.follow(ids["mira"], "tarn")
    await following.set_alert(ids["mira"], ids["tarn"], COMES)
    await either.write(conduct.block, ids["tarn"], ids["mira"], FakeClock().now())
    assert not await following.take_alert(ids["mira"], ids["tarn"], COMES)
    [followed] = await following.of(ids["mira"])
    assert followed.tell == COMES  # nothing tells them of the block
    await either.write(conduct.unblock, ids["tarn"], ids["mira"])
    assert await following.take_alert(ids["mira"], ids["tarn"], COMES)


async def test_what_one_follows_and_notes_is_in_one_s_own_export_alone(
    either: Database, following: Following, ids: dict[str, int]
) -> None:
    accounts = Accounts(either, FakeClock(), Limits())
    await following.follow(ids["mira"], "tarn")
    with pytest.raises(Refused):
        await following.set_note(ids["mira"], "tarn", "x" * 201)
    await following.set_note(ids["mira"], "tarn", "plays \x1b[31mfast" + "x" * 186)
    noted = await following.note(ids["mira"], "tarn")
    assert noted.startswith("plays")
    assert (len(noted), "\x1b" in noted) == (200, False)
    own, other = [json.dumps(await gathered(await accounts.export(ids[name]))) for name in ("mira", "tarn")]
    assert noted in own
    assert noted not in other
    assert json.loads(own)["follows"] != json.loads(other)["follows"] == json.loads(other)["notes"] == []
    with pytest.raises(AccountError):
        await following.set_note(ids["mira"], "mira", "me")
    await following.set_note(ids["mira"], "tarn", " ")
    assert await following.note(ids["mira"], "tarn") == ""


async def test_a_deleted_account_is_followed_and_noted_by_nobody(
    either: Database, following: Following, ids: dict[str, int]
) -> None:
    accounts = Accounts(either, FakeClock(), Limits())
    await following.follow(ids["mira"], "tarn")
    await following.follow(ids["tarn"], "mira")
    await following.set_note(ids["mira"], "tarn", "fast")
    await accounts.delete(ids["tarn"])
    assert await names(following, ids["mira"]) == []
    exported = await gathered(await accounts.export(ids["mira"]))
    assert (exported["follows"], exported["notes"]) == ([], [])
