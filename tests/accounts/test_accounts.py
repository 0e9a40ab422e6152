"""Accounts: names, keys, codes, limits, leaving; on both databases where they could differ."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Connection, select

from server.accounts.accounts import Accounts
from server.accounts.actor import Actor
from server.accounts.conduct import Conduct
from server.accounts.errors import AccountError
from server.accounts.moderation import Moderation
from server.accounts.preferences import Preferences, read_preferences
from server.accounts.publickeys import read_public_key
from server.admin.acts import Admin
from server.bus.bus import LocalBus
from server.config import Limits
from server.errors import RateLimited
from server.store import accounts as accounts_store
from server.store import chat as chat_store
from server.store import conduct, matches, processes
from server.store.columns import Json
from server.store.database import Database
from server.store.matches import StoredSeat
from server.store.tables import metadata
from tests.accounts.exports import gathered
from tests.accounts.keyring import public_key
from tests.clocks import FakeClock
from tests.store.builders import START, match


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def accounts(either: Database, clock: FakeClock) -> Accounts:
    return Accounts(either, clock, Limits())


@pytest.fixture
async def local(database: Database, clock: FakeClock) -> Accounts:
    """The same on SQLite only, for what is the same code on both."""
    return Accounts(database, clock, Limits(accounts_per_hour=100))


async def test_a_key_registers_and_is_found_again(accounts: Accounts) -> None:
    made = await accounts.register("mira", public_key("mira"), "192.0.2.1")
    fingerprint = read_public_key(public_key("mira")).fingerprint
    assert made.account.handle == "mira"
    assert len(set(made.recovery_codes)) == 8
    assert await accounts.by_fingerprint(fingerprint) == made.account
    assert await accounts.by_handle("mira") == made.account
    assert await accounts.by_fingerprint("SHA256:unknown") is None
    [key] = await accounts.keys.of(made.account.id)
    assert (key.fingerprint, key.public_key.count(" ")) == (fingerprint, 1)


@pytest.mark.parametrize("handle", ["Mira", "mi", "1mira", "mira!", "m" * 17, "mіra", "", "mira\n", "-mira"])
async def test_a_handle_has_its_form(local: Accounts, handle: str) -> None:
    with pytest.raises(AccountError) as refused:
        await local.register(handle, public_key("mira"), "192.0.2.1")
    assert refused.value.key == "handle.not-allowed"


@pytest.mark.parametrize(
    "handle",
    [
        *("admin", "adm1n", "r00t", "patchbay", "guest-x", "b0t", "moderat0r", "deleted-1"),
        *("mod", "mods", "m0d", "mod7", "the-mod", "x_mods", "you", "y0u", "staff", "staff-2", "s7affer", "referee"),
        *(
            "r3feree",
            "admins",
            "sysadmin",
            "sys-adrnin",
            "owner",
            "ovvner",
            "opponent",
            "everybody",
            "they",
            "computer",
        ),
    ],
)
async def test_some_words_are_reserved(local: Accounts, handle: str) -> None:
    with pytest.raises(AccountError) as refused:
        await local.register(handle, public_key("mira"), "192.0.2.1")
    assert refused.value.key == "handle.reserved"


@pytest.mark.parametrize("handle", ["server1", "patchbay-news", "support24", "s3curity-desk", "gu3st-ab12", "b0t_easy"])
async def test_a_handle_spoke_for_the_server_or_looked_like_a_guest_with_one_character_more(
    local: Accounts, handle: str
) -> None:
    with pytest.raises(AccountError, match=r"handle\.reserved"):
        await local.register(handle, public_key("mira"), "192.0.2.1")


async def test_look_alikes_are_taken_and_ordinary_names_are_not(accounts: Accounts) -> None:
    await accounts.register("lily", public_key("a"), "192.0.2.1")
    for handle in ("lily", "li1y", "l-ily", "lily_", "li1-y"):
        with pytest.raises(AccountError) as refused:
            await accounts.register(handle, public_key(handle), "192.0.2.1")
        assert refused.value.key == "handle.taken"
    await accounts.register("lila", public_key("b"), "192.0.2.1")


async def test_two_at_once_can_not_have_one_name(either: Database, clock: FakeClock) -> None:
    accounts = Accounts(either, clock, Limits(accounts_per_hour=100))
    tries = [accounts.register("zoe", public_key(f"zoe{i}"), f"192.0.2.{i}") for i in range(8)]
    results = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(not isinstance(result, BaseException) for result in results) == 1
    assert {result.key for result in results if isinstance(result, AccountError)} == {"handle.taken"}


async def test_a_source_makes_three_accounts_an_hour(accounts: Accounts, clock: FakeClock) -> None:
    for i in range(3):
        await accounts.register(f"user{i}x", public_key(f"k{i}"), f"2001:db8::{i}")
    with pytest.raises(RateLimited) as refused:
        await accounts.register("userxx", public_key("k9"), "2001:db8:0:0:ffff::1")
    assert (refused.value.limit, refused.value.retry_after_ms) == ("accounts_per_hour", 3_600_000)
    await accounts.register("useryy", public_key("k8"), "192.0.2.1")
    clock.shift(3601)
    await accounts.register("userxx", public_key("k9"), "2001:db8::1")


async def test_what_fails_for_another_reason_is_not_counted(database: Database, clock: FakeClock) -> None:
    counted = Accounts(database, clock, Limits(accounts_per_hour=1))
    for _ in range(3):
        with pytest.raises(AccountError):
            await counted.register("admin", public_key("a"), "192.0.2.1")
    await counted.register("mira", public_key("a"), "192.0.2.1")


async def test_a_code_links_another_key_once(accounts: Accounts, clock: FakeClock) -> None:
    mira = (await accounts.register("mira", public_key("a"), "192.0.2.1")).account
    stale = await accounts.keys.make_code(mira.id)
    code = await accounts.keys.make_code(mira.id)
    with pytest.raises(AccountError):
        await accounts.keys.link(stale, public_key("b"))
    assert await accounts.keys.link(code.upper().replace("-", " "), public_key("b")) == mira
    with pytest.raises(AccountError) as used:
        await accounts.keys.link(code, public_key("c"))
    assert used.value.key == "code.unknown"
    late = await accounts.keys.make_code(mira.id)
    clock.shift(601)
    with pytest.raises(AccountError):
        await accounts.keys.link(late, public_key("c"))
    assert len(await accounts.keys.of(mira.id)) == 2


async def test_a_recovery_code_brings_an_account_back_once(accounts: Accounts, clock: FakeClock) -> None:
    made = await accounts.register("mira", public_key("a"), "192.0.2.1")
    clock.shift(400 * 86_400)
    assert await accounts.keys.link(made.recovery_codes[3], public_key("b")) == made.account
    with pytest.raises(AccountError):
        await accounts.keys.link(made.recovery_codes[3], public_key("c"))
    fresh = await accounts.keys.new_recovery_codes(made.account.id)
    with pytest.raises(AccountError):
        await accounts.keys.link(made.recovery_codes[0], public_key("c"))
    assert await accounts.keys.link(fresh[0], public_key("c")) == made.account


async def test_a_key_opens_one_account_only(accounts: Accounts, either: Database, clock: FakeClock) -> None:
    mira = (await accounts.register("mira", public_key("a"), "192.0.2.1")).account
    await accounts.register("tarn", public_key("b"), "192.0.2.1")
    code = await accounts.keys.make_code(mira.id)
    for attempt in (
        accounts.register("omid", public_key("a"), "192.0.2.1"),
        Admin(Actor(either, clock, LocalBus())).add_key("tarn", public_key("a")),
        accounts.keys.link(code, public_key("b")),
    ):
        with pytest.raises(AccountError) as refused:
            await attempt
        assert refused.value.key == "key.taken"
    await accounts.keys.link(code, public_key("c"))  # the refusal did not use it up


async def test_guessing_codes_is_stopped(local: Accounts, clock: FakeClock) -> None:
    mira = (await local.register("mira", public_key("a"), "192.0.2.1")).account
    code = await local.keys.make_code(mira.id)
    for i in range(10):
        with pytest.raises(AccountError):
            await local.keys.link(f"wrong{i}", public_key("b"), "192.0.2.9")
    with pytest.raises(RateLimited):
        await local.keys.link(code, public_key("b"), "192.0.2.9")
    assert await local.keys.link(code, public_key("b"), "192.0.2.10") == mira


async def test_the_last_key_stays(local: Accounts) -> None:
    mira = (await local.register("mira", public_key("a"), "192.0.2.1")).account
    [first] = await local.keys.of(mira.id)
    with pytest.raises(AccountError) as refused:
        await local.keys.remove(mira.id, first.fingerprint)
    assert refused.value.key == "key.last"
    await local.keys.link(await local.keys.make_code(mira.id), public_key("b"))
    await local.keys.remove(mira.id, first.fingerprint)
    assert [key.public_key for key in await local.keys.of(mira.id)] == [read_public_key(public_key("b")).line]
    with pytest.raises(AccountError):
        await local.keys.remove(mira.id, first.fingerprint)


@pytest.mark.parametrize(
    "line",
    ["", "ssh-ed25519", "ssh-ed25519 AAAA", "ssh-dss AAAAB3NzaC1kc3M=", "x" * 9000, "\x00", "ssh-rsa " + "A" * 80],
)
def test_what_is_no_key_is_refused(line: str) -> None:
    with pytest.raises(AccountError):
        read_public_key(line)


async def test_who_renames_keeps_the_old_name_from_others(accounts: Accounts) -> None:
    mira = (await accounts.register("mira", public_key("a"), "192.0.2.1")).account
    assert (await accounts.rename(mira.id, "mirabel")).handle == "mirabel"
    with pytest.raises(AccountError):
        await accounts.register("m1ra", public_key("b"), "192.0.2.1")
    assert (await accounts.rename(mira.id, "mi-ra")).handle == "mi-ra"
    await accounts.rename(mira.id, "mira")
    with pytest.raises(RateLimited):
        await accounts.rename(mira.id, "mirabel")


async def test_preferences_are_kept_and_unknown_ones_ignored(local: Accounts) -> None:
    mira = (await local.register("mira", public_key("a"), "192.0.2.1")).account
    assert await local.preferences(mira.id) == Preferences()
    wanted = Preferences(language="zh_CN", palette="mono", bell=False, games=("rainet", "relati"))
    await local.change_preferences(mira.id, lambda before: wanted)
    assert await local.preferences(mira.id) == wanted
    assert read_preferences({"bell": "no", "glyphs": 3, "future": 1, "games": [1]}) == Preferences()


async def test_settings_of_two_terminals_do_not_undo_each_other(either: Database, clock: FakeClock) -> None:
    """Each terminal stored all settings as it had read them: what another one had changed or told came back."""
    accounts = Accounts(either, clock, Limits())
    mira = (await accounts.register("mira", public_key("a"), "192.0.2.1")).account
    await accounts.change_preferences(mira.id, lambda kept: replace(kept, told_until="yesterday"))
    before = await asyncio.gather(
        accounts.change_preferences(mira.id, lambda kept: replace(kept, told_until="today")),
        accounts.change_preferences(mira.id, lambda kept: replace(kept, told_until="today")),
        accounts.change_preferences(mira.id, lambda kept: replace(kept, bell=False)),
        accounts.change_preferences(mira.id, lambda kept: replace(kept, language="zh_CN")),
    )
    assert sorted(one.told_until for one in before[:2]) == ["today", "yesterday"], "one of them finds the news"
    assert await accounts.preferences(mira.id) == Preferences(language="zh_CN", bell=False, told_until="today")


async def test_roles_come_and_go(local: Accounts) -> None:
    mira = (await local.register("mira", public_key("a"), "192.0.2.1")).account
    assert await local.set_role(mira.id, "moderator", held=True) is True
    assert await local.set_role(mira.id, "moderator", held=True) is False
    found = await local.by_handle("mira")
    assert found is not None
    assert found.roles == {"moderator"}
    with pytest.raises(AccountError):
        await local.set_role(mira.id, "king", held=True)


async def test_deleting_leaves_only_a_name_in_records(accounts: Accounts, either: Database) -> None:
    made = await accounts.register("mira", public_key("a"), "192.0.2.1")
    tarn = (await accounts.register("tarn", public_key("b"), "192.0.2.1")).account
    mira = made.account
    seats = (StoredSeat("account", "mira", mira.id), StoredSeat("account", "tarn", tarn.id))
    await either.write(matches.create, match("m1", *seats))
    line = await either.write(chat_store.add, "lobby", mira.id, "mira", "hello", START)
    earlier: dict[str, Json] = {"name": "nadia", "text": "my name then", "account": mira.id}
    quoted: tuple[dict[str, Json], ...] = (
        earlier,
        {"name": "mira", "text": "hello"},
        {"name": "tarn", "text": "hi", "account": tarn.id},
    )
    report = conduct.Report(0, START, tarn.id, mira.id, "mira", None, "rude", quoted)
    await either.write(conduct.add_report, report)
    await either.write(accounts_store.strike, "left", str(mira.id), START, START - timedelta(days=1))
    exported = await gathered(await accounts.export(mira.id))
    assert [row["kind"] for row in exported["strikes"]] == ["left"]
    assert json.loads(json.dumps(exported))["accounts"][0]["handle"] == "mira"
    assert [row["id"] for row in exported["chat_lines"]] == [line.id]
    name = await accounts.delete(mira.id)
    assert name == f"deleted-{mira.id}"
    stored = await either.read(matches.get, "m1")
    assert stored is not None
    assert [seat.name for seat in stored.seats] == [name, "tarn"]
    assert await accounts.by_handle("mira") is None
    assert await accounts.by_fingerprint(read_public_key(public_key("a")).fingerprint) is None
    left = await gathered(await accounts.export(mira.id))
    assert "mira" not in json.dumps(left)
    assert left["strikes"] == []
    [kept] = await either.read(conduct.open_reports)
    assert (kept.about_name, [quote["name"] for quote in kept.lines]) == (name, ["tarn"])
    with pytest.raises(AccountError):
        await accounts.keys.link(made.recovery_codes[0], public_key("c"))
    [order] = await either.read(processes.orders_after, 0)
    assert (order.kind, order.data) == ("forget", {"account": mira.id, "name": name})


async def test_nobody_takes_the_place_of_who_has_left(accounts: Accounts, either: Database, clock: FakeClock) -> None:
    """A deleted account's name was free at once: whoever took it was taken for the one who had left."""
    mira = (await accounts.register("mira", public_key("a"), "192.0.2.1")).account
    await accounts.rename(mira.id, "zora")
    await accounts.delete(mira.id)
    for handle in ("mira", "zora", "m1ra", "z0ra"):
        with pytest.raises(AccountError, match=r"handle\.taken"):
            await accounts.register(handle, public_key("b"), "192.0.2.1")
    stored = await whole(either)
    assert "mira" not in stored
    assert "zora" not in stored  # kept as hashes only
    clock.shift(90 * 86_400)
    await accounts.register("mira", public_key("b"), "192.0.2.1")


async def test_an_account_s_two_previous_names_are_kept_for_it_and_no_more(
    accounts: Accounts, clock: FakeClock
) -> None:
    """All the names that one ever had stayed reserved: three a day, for ever."""
    mira = (await accounts.register("mira", public_key("a"), "192.0.2.1")).account
    for handle in ("zora", "tilda", "ylva"):
        clock.shift(86_400)
        await accounts.rename(mira.id, handle)
    for handle in ("zora", "tilda", "t1lda", "ylva"):
        with pytest.raises(AccountError, match=r"handle\.taken"):
            await accounts.register(handle, public_key("b"), "192.0.2.1")
    clock.shift(30 * 86_400)
    await accounts.register("mira", public_key("b"), "192.0.2.1")
    assert (await accounts.rename(mira.id, "zora")).handle == "zora"  # one's own comes back
    with pytest.raises(AccountError, match=r"handle\.taken"):
        await accounts.register("ylva", public_key("c"), "192.0.2.1")


async def test_a_handle_left_lately_is_nobody_elses_however_often_its_owner_renames(
    accounts: Accounts, clock: FakeClock
) -> None:
    """Three renames in a day freed the first handle: who took it was taken for whom others had just met by it."""
    mira = (await accounts.register("mira", public_key("a"), "192.0.2.1")).account
    for handle in ("zora", "tilda", "ylva"):
        await accounts.rename(mira.id, handle)
        clock.shift(1)
    for days in (0, 29):
        clock.shift(days * 86_400)
        with pytest.raises(AccountError, match=r"handle\.taken"):
            await accounts.register("m1ra", public_key("b"), "192.0.2.1")
    clock.shift(86_400)
    tarn = (await accounts.register("mira", public_key("b"), "192.0.2.1")).account
    for handle in ("zora", "tilda", "ylva"):
        with pytest.raises(AccountError, match=r"handle\.taken"):
            await accounts.rename(tarn.id, handle)


async def test_nobody_is_called_as_the_server_is(either: Database, clock: FakeClock) -> None:
    accounts = Accounts(either, clock, Limits(), server_name="The Old Harbour 港")
    for handle in ("theoldharbour", "the-old-harbour", "the_0ld_harbour", "theoldharbour2"):
        with pytest.raises(AccountError, match=r"handle\.reserved"):
            await accounts.register(handle, public_key("a"), "192.0.2.1")
    await accounts.register("harbour", public_key("a"), "192.0.2.1")


async def test_what_was_counted_of_a_source_that_does_not_come_back_is_forgotten(either: Database) -> None:
    """Addresses were kept for ever."""
    day = timedelta(days=1)
    await either.write(accounts_store.strike, "code", "192.0.2.1", START, START - day)
    for days, left in ((29, 2), (31, 2)):
        now = START + days * day
        await either.write(accounts_store.strike, "code", f"192.0.2.{days}", now, now - day)
        assert (await whole(either)).count("192.0.2.") == left
    assert "192.0.2.1'" not in await whole(either)


async def whole(database: Database) -> str:
    """Return everything that is stored, as text."""

    def read(connection: Connection) -> str:
        return "\n".join(str(row) for table in metadata.sorted_tables for row in connection.execute(select(table)))

    return await database.read(read)


async def test_nothing_anywhere_names_who_has_deleted_their_account(either: Database) -> None:
    """Old handles stood in the audit log, a moderator's in what they had imposed and closed, and a key in both."""
    clock = FakeClock()
    accounts = Accounts(either, clock, Limits(accounts_per_hour=100))
    made = (await accounts.register("quixote", public_key("a"), "192.0.2.1")).account
    tarn = (await accounts.register("tarn", public_key("b"), "192.0.2.1")).account
    console = Admin(Actor(either, clock, LocalBus()))
    members, desk = Conduct(either, clock), Moderation(Actor(either, clock, LocalBus(), "quixote"))
    await console.set_role("quixote", "moderator", held=True)
    await console.moderation.mute("quixote", "Quixote was loud", timedelta(hours=1))
    await desk.mute("tarn", "spam", None)
    await desk.close_report(await members.report(made.id, "tarn", "rude"))
    lent = read_public_key(public_key("c")).fingerprint
    await console.add_key("quixote", public_key("c"))
    await accounts.rename(made.id, "zebulon")
    assert [line.act for line in (await console.moderation.dossier("zebulon")).acts] == ["key add", "mute", "grant"]
    assert (await console.audit(10))[-3].actor == "zebulon"
    await console.moderation.remark("zebulon", "zebulon, once quixote, was asked nicely; tarn too")
    await members.report(tarn.id, "zebulon", "zebu1on (quix0te before) shouts", [{"name": "tarn", "text": "hi"}])
    await accounts.change_preferences(made.id, lambda before: Preferences(language="zh_CN"))
    await members.block(tarn.id, "zebulon")
    await either.write(chat_store.add, "lobby", made.id, "quixote", "hello", START)
    seats = (StoredSeat("account", "zebulon", made.id), StoredSeat("account", "tarn", tarn.id))
    await either.write(matches.create, match("m1", *seats))
    exported = json.dumps(await gathered(await accounts.export(made.id)))
    assert all(word in exported for word in ("zebulon", lent, '"acts"', "hello", "zh_CN", "rude"))
    assert "asked nicely" not in exported
    await accounts.delete(made.id)
    left = (await whole(either)).lower()
    for word in ("quixote", "zebulon", "zebu1on", "quix0te", lent.lower(), "hello"):
        assert word not in left, word
    assert "tarn too" in left
    assert f"deleted-{made.id} (deleted-{made.id} before) shouts" in left


async def test_who_is_deleted_is_given_nothing_any_more(database: Database) -> None:
    """A program that hung up after its account was deleted left the moment behind; a session might add a key."""
    accounts = Accounts(database, FakeClock(), Limits())
    mira = (await accounts.register("mira", public_key("a"), "192.0.2.1")).account
    await accounts.delete(mira.id)
    await accounts.record_login(mira.id, None)
    for attempt in (accounts.keys.propose(mira.id, public_key("b")), accounts.keys.make_code(mira.id)):
        with pytest.raises(AccountError):
            await attempt
    assert (await gathered(await accounts.export(mira.id)))["accounts"][0]["seen_at"] is None
