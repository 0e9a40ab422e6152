"""What moderators read and do, whether by commands or on their screen."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import text

from server.accounts.accounts import Accounts
from server.accounts.actor import CONSOLE, Actor
from server.accounts.conduct import Conduct
from server.accounts.errors import AccountError
from server.accounts.identity import Identity, Player
from server.accounts.moderation import Moderation
from server.admin.acts import Admin
from server.bus.bus import LocalBus
from server.config import Limits
from server.store import accounts as stored_accounts
from server.store import conduct as stored_conduct
from server.store import processes
from server.store.database import Database
from server.store.processes import StoredSession
from tests.accounts.keyring import public_key
from tests.clocks import FakeClock


async def people(database: Database, clock: FakeClock) -> dict[str, int]:
    accounts = Accounts(database, clock, Limits(accounts_per_hour=100))
    found = {}
    for handle in ("mira", "tarn", "omid"):
        found[handle] = (await accounts.register(handle, public_key(handle), "192.0.2.1")).account.id
    return found


async def test_a_report_names_both_people_as_they_are_called_now(either: Database) -> None:
    clock = FakeClock()
    ids, conduct = await people(either, clock), Conduct(either, clock)
    accounts, desk = Accounts(either, clock, Limits()), Moderation(Actor(either, clock, LocalBus(), "omid"))
    await conduct.report(ids["mira"], "tarn", "rude")
    await conduct.report(ids["tarn"], "mira", "odd")
    await accounts.rename(ids["tarn"], "tern")
    first, second = await desk.reports()
    assert (first.by_handle, first.about_name, first.about_handle) == ("mira", "tarn", "tern")
    assert (second.by_handle, second.about_handle) == ("tern", "mira")
    assert await desk.count_reports() == 2
    await accounts.delete(ids["mira"])
    assert (await desk.reports())[0].by_handle is None
    assert await desk.close_report(first.id)
    assert await desk.count_reports() == 1


async def test_a_dossier_has_what_holds_what_was_noted_and_where_somebody_is(either: Database) -> None:
    clock = FakeClock()
    ids, desk = await people(either, clock), Moderation(Actor(either, clock, LocalBus(), "omid"))
    await either.write(processes.arrive, "p1", 1, "here", clock.now())
    session = StoredSession("s1", "p1", "tarn", "192.0.2.7", clock.now(), ids["tarn"], "SHA256:t")
    await either.write(processes.beat, "p1", clock.now(), [session])
    await desk.remark("tarn", "was asked nicely\x1b[2J")
    await desk.mute("tarn", "too loud", timedelta(hours=1))
    await desk.ban("mira", "spam", None)
    known = await desk.dossier("tarn")
    assert [(one.sanction.act, one.sanction.why) for one in known.sanctions] == [("mute", "too loud")]
    assert [(line.act, line.why, line.actor) for line in known.acts] == [
        ("mute", "too loud", "omid"),
        ("note", "was asked nicely[2J", "omid"),
    ]
    assert [(one.source, one.fingerprint) for one in known.sessions] == [("192.0.2.7", "SHA256:t")]
    clock.shift(3601)
    assert (await desk.dossier("tarn")).sanctions == []
    for missing in (desk.dossier("nobody"), desk.remark("nobody", "x")):
        with pytest.raises(AccountError):
            await missing


async def test_who_may_moderate_is_looked_up_each_time(database: Database) -> None:
    clock = FakeClock()
    ids, desk = await people(database, clock), Moderation(Actor(database, clock, LocalBus(), "omid"))
    assert not await desk.is_allowed()
    await database.write(stored_accounts.set_role, ids["omid"], "moderator", True)
    assert await desk.is_allowed()
    await database.write(stored_accounts.set_role, ids["omid"], "moderator", False)
    assert not await desk.is_allowed()


@pytest.mark.parametrize("act", ["ban", "mute"])
async def test_moderators_have_no_say_over_admins(either: Database, act: str) -> None:
    clock = FakeClock()
    ids = await people(either, clock)
    for handle, role in (("mira", "admin"), ("tarn", "moderator"), ("omid", "admin")):
        await either.write(stored_accounts.set_role, ids[handle], role, True)
    desks = {name: Moderation(Actor(either, clock, LocalBus(), name)) for name in ("tarn", "omid", CONSOLE)}
    with pytest.raises(AccountError) as refused:
        await getattr(desks["tarn"], act)("mira", "a coup", None)
    assert refused.value.key == "moderation.admin"
    assert (await desks["tarn"].dossier("mira")).sanctions == []
    for name in ("omid", CONSOLE):
        await getattr(desks[name], act)("mira", "a quarrel", None)
        assert [one.sanction.act for one in (await desks[name].dossier("mira")).sanctions] == [act]
        assert await desks[name].lift(act, "mira")


KEY = "SHA256:" + "k" * 43


async def here(database: Database, clock: FakeClock, *sessions: StoredSession) -> None:
    await database.write(processes.arrive, "p1", 1, "here", clock.now())
    await database.write(processes.beat, "p1", clock.now(), sessions)


def guest_session(clock: FakeClock) -> StoredSession:
    return StoredSession("s9", "p1", "guest-x7k2mnpq", "198.51.100.7", clock.now(), None, KEY)


async def test_moderators_reach_no_admin_by_a_key_or_an_address_either(either: Database) -> None:
    """Only bans by account asked for the rank: the admin's key, their network, or 0.0.0.0/0 shut them out."""
    clock = FakeClock()
    ids, accounts = await people(either, clock), Accounts(either, clock, Limits())
    await either.write(stored_accounts.set_role, ids["mira"], "admin", True)
    await either.write(stored_accounts.set_role, ids["tarn"], "moderator", True)
    await here(either, clock, StoredSession("s1", "p1", "mira", "192.0.2.7", clock.now(), ids["mira"]))
    [key] = await accounts.keys.of(ids["mira"])
    desk = Moderation(Actor(either, clock, LocalBus(), "tarn"))
    for target in (key.fingerprint, "192.0.2.7", "192.0.2.0/24", "192.0.0.0/16"):
        with pytest.raises(AccountError) as refused:
            await desk.ban(target, "a coup", None)
        assert refused.value.key == "moderation.admin-there"
    assert await desk.in_force() == []
    await desk.ban("198.51.100.0/24", "a flood", None)
    await Moderation(Actor(either, clock, LocalBus())).ban("0.0.0.0/0", "closed", None, wide=True)


async def test_half_the_internet_is_banned_by_admins_who_say_so_and_by_nobody_else(either: Database) -> None:
    """A moderator banned 2000::/3, an admin 128.0.0.0/1 by a slip of the finger."""
    clock = FakeClock()
    ids = await people(either, clock)
    await either.write(stored_accounts.set_role, ids["tarn"], "moderator", True)
    await either.write(stored_accounts.set_role, ids["mira"], "admin", True)
    moderator, admin = (Moderation(Actor(either, clock, LocalBus(), name, "203.0.113.5")) for name in ("tarn", "mira"))
    wide = ("2000::/3", "128.0.0.0/1", "10.0.0.0/15", "2001:db8::/31", "::ffff:10.0.0.0/104")
    for network in wide:
        for act in (moderator.ban, moderator.mute, partial(moderator.ban, wide=True), admin.ban, admin.mute):
            with pytest.raises(AccountError) as refused:
                await act(network, "a flood", None)
            assert refused.value.key == "target.too-wide"
    assert await admin.in_force() == []
    for network in ("10.0.0.0/16", "2001:db8::/32"):
        await moderator.ban(network, "a flood", None)
    for network in wide[2:]:
        await admin.ban(network, "a flood", None, wide=True)
        assert await admin.lift("ban", network)


async def test_nobody_shuts_themselves_out_or_lifts_their_own(either: Database) -> None:
    """A muted moderator could unmute themselves, and close the report about themselves by command."""
    clock = FakeClock()
    ids, conduct = await people(either, clock), Conduct(either, clock)
    await either.write(stored_accounts.set_role, ids["omid"], "moderator", True)
    await here(either, clock, StoredSession("s1", "p1", "omid", "192.0.2.7", clock.now(), ids["omid"]))
    desk, console = Moderation(Actor(either, clock, LocalBus(), "omid")), Moderation(Actor(either, clock, LocalBus()))
    await console.mute("omid", "too loud", None)
    report = await conduct.report(ids["mira"], "omid", "odd")
    [held] = await desk.in_force()
    for act in (
        desk.lift("mute", "omid"),
        desk.lift_held(held),
        desk.ban("omid", "x", None),
        desk.ban("192.0.2.0/24", "x", None),
    ):
        with pytest.raises(AccountError) as refused:
            await act
        assert refused.value.key == "moderation.self"
    by_command = Moderation(Actor(either, clock, LocalBus(), "omid", "198.51.100.9"))  # of which no session is stored
    for network in ("198.51.100.0/24", "198.51.0.0/16"):
        with pytest.raises(AccountError):
            await by_command.ban(network, "x", None)
    assert len(await desk.in_force()) == 1
    [key, *_] = await either.read(stored_accounts.keys_of, ids["omid"])
    await console.ban(key.fingerprint, "stolen", None)
    with pytest.raises(AccountError, match="self"):  # they came with another key of theirs
        await desk.lift("ban", key.fingerprint)
    assert await console.lift("ban", key.fingerprint)
    assert not await desk.close_report(report)
    assert await console.close_report(report)
    assert await console.lift("mute", "omid")


async def test_what_holds_of_keys_and_networks_is_listed_and_lifted(either: Database) -> None:
    clock = FakeClock()
    ids, desk = await people(either, clock), Moderation(Actor(either, clock, LocalBus(), "omid"))
    conduct = Conduct(either, clock)
    for target in ("tarn", KEY, "198.51.100.0/24", "2001:db8::7", "::ffff:203.0.113.0/120"):
        await desk.ban(target, "spam", timedelta(days=3))
    shown = ["tarn", KEY, "198.51.100.0/24", "2001:db8::/64", "203.0.113.0/24"]
    held = await desk.in_force()
    assert [one.shown for one in held] == shown
    await conduct.refresh()
    assert conduct.check_source("203.0.113.9") is not None
    assert conduct.check_source("2001:db8::99:1") is not None
    acts = len(await either.read(stored_conduct.audit_lines))
    for one in held:
        assert await desk.lift_held(one)
        assert not await desk.lift_held(one)
    assert await desk.in_force() == []
    assert len(await either.read(stored_conduct.audit_lines)) == acts + 5, "what lifted nothing is no act"
    await conduct.refresh()
    assert conduct.check_source("203.0.113.9") is None
    assert (await desk.dossier("tarn")).sanctions == []
    assert ids["tarn"]


async def test_a_dossier_has_the_bans_of_keys_and_of_where_somebody_is(either: Database) -> None:
    clock = FakeClock()
    ids, desk = await people(either, clock), Moderation(Actor(either, clock, LocalBus(), "omid"))
    [key] = await Accounts(either, clock, Limits()).keys.of(ids["tarn"])
    await here(either, clock, StoredSession("s1", "p1", "tarn", "192.0.2.7", clock.now(), ids["tarn"]))
    console = Moderation(Actor(either, clock, LocalBus()))
    for target in (key.fingerprint, "192.0.2.0/28", KEY, "203.0.113.1"):
        await console.ban(target, "spam", None)
    await console.mute("192.0.2.0/28", "its guests", None)
    assert [one.shown for one in (await desk.dossier("tarn")).sanctions] == [key.fingerprint, "192.0.2.0/28"]


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("300.1.2.3", "target.no-network"),
        ("192.0.2.0/33", "target.no-network"),
        ("2001:db8::/200", "target.no-network"),
        ("12345", "target.no-network"),
        ("SHA256:short", "target.no-key"),
        ("nobody", "handle.unknown"),
        ("guest-aaaaaaaa", "guest.gone"),
        ("", "handle.unknown"),
    ],
)
async def test_who_is_meant_by_nothing_is_said_so(database: Database, said: str, key: str) -> None:
    """A mistyped address was looked for among the handles; a short fingerprint was banned, and kept nobody out."""
    desk = Moderation(Actor(database, FakeClock(), LocalBus()))
    with pytest.raises(AccountError) as refused:
        await desk.ban(said, "x", None)
    assert refused.value.key == key


async def test_a_guest_is_reported_with_where_they_came_from_until_the_report_is_closed(either: Database) -> None:
    clock = FakeClock()
    ids, conduct = await people(either, clock), Conduct(either, clock)
    desk = Moderation(Actor(either, clock, LocalBus(), "omid"))
    await here(either, clock, guest_session(clock))
    made = await conduct.report(ids["mira"], "guest-x7k2mnpq", "spam", [{"name": "guest-x7k2mnpq", "text": "buy"}])
    await conduct.report(ids["mira"], "guest-aaaaaaaa", "gone already")
    [report, other] = await desk.reports()
    assert report.is_of_guest
    assert (report.about_handle, report.source, report.fingerprint) == (None, "198.51.100.7", KEY)
    assert [dict(line) for line in report.lines] == [{"name": "guest-x7k2mnpq", "text": "buy"}]
    assert (other.is_of_guest, other.source) == (True, None)
    await desk.remark("guest-x7k2mnpq", "sells things")
    await desk.ban("198.51.100.0/24", "spam", None)
    for source in (None, "198.51.100.7"):
        known = await desk.dossier("guest-x7k2mnpq", source)
        assert [one.shown for one in known.sanctions] == ["198.51.100.0/24"]
        assert [line.why for line in known.acts] == ["sells things"]
        await either.write(processes.beat, "p1", clock.now(), (), ["s9"])
    assert await desk.close_report(made)
    assert "198.51.100.7" not in str(await either.read(lambda c: c.execute(text("SELECT lines FROM reports")).all()))


async def test_a_guest_is_muted_with_the_guests_of_the_same_address(either: Database) -> None:
    """A guest who was muted by name would come back under another one."""
    clock = FakeClock()
    sources = {"guest-x7k2mnpq": "198.51.100.7", "guest-bbbbbbbb": "198.51.100.7", "guest-cccccccc": "192.0.2.1"}
    guests = {name: Identity(None, name, frozenset(), None, None, "", source) for name, source in sources.items()}
    ids = await people(either, clock)
    conduct = Conduct(either, clock, here=lambda player: [guests[player.name]] if player.name in guests else [])
    await here(either, clock, guest_session(clock))
    desk = Moderation(Actor(either, clock, LocalBus(), "omid"))
    target = await desk.mute("guest-x7k2mnpq", "spam", timedelta(hours=1))
    assert (target.kind, target.value, target.shown) == ("network", "198.51.100.7/32", "guest-x7k2mnpq")
    await conduct.refresh()
    muted = {name: conduct.mute_of(Player("guest", name, guest_id=name)) is not None for name in sources}
    assert muted == {"guest-x7k2mnpq": True, "guest-bbbbbbbb": True, "guest-cccccccc": False}
    assert conduct.mute_of(Player("account", "mira", ids["mira"])) is None
    assert conduct.check_source("198.51.100.7") is None, "a mute keeps nobody out"
    clock.shift(3601)
    assert conduct.mute_of(Player("guest", "guest-x7k2mnpq", guest_id="guest-x7k2mnpq")) is None
    with pytest.raises(AccountError) as refused:
        await desk.mute(KEY, "x", None)
    assert refused.value.key == "target.no-mute"


async def test_a_guest_who_was_muted_registered_and_spoke(either: Database) -> None:
    """A mute of a network holds for accounts that are not a day old, too: they cost as little as a guest."""
    clock = FakeClock()
    ids = await people(either, clock)
    here = [Identity(ids["mira"], "mira", frozenset(), None, None, "", "198.51.100.7")]
    conduct = Conduct(either, clock, here=lambda player: [one for one in here if one.name == player.name])
    await Moderation(Actor(either, clock, LocalBus(), "omid")).mute("198.51.100.0/24", "spam", timedelta(days=3))
    await conduct.refresh()
    assert conduct.mute_of(here[0].player) is not None
    here.append(replace(here[0], source="192.0.2.1"))
    assert conduct.mute_of(here[0].player) is not None, "another connection from elsewhere changes nothing"
    here.append(replace(here[1], is_settled=True))
    assert conduct.mute_of(here[0].player) is None


async def test_a_moderator_just_renamed_read_all_and_unmuted_themselves(either: Database) -> None:
    """Under the handle before they were nobody, whom nothing concerns: the rename came in at the same moment."""
    clock = FakeClock()
    ids, conduct, accounts = await people(either, clock), Conduct(either, clock), Accounts(either, clock, Limits())
    await either.write(stored_accounts.set_role, ids["omid"], "moderator", True)
    omid = Actor(either, clock, LocalBus(), "omid")
    await conduct.report(ids["mira"], "omid", "takes sides")
    await Moderation(Actor(either, clock, LocalBus())).mute("omid", "too loud", None)
    await accounts.rename(ids["omid"], "omar")
    acts = Moderation(omid)
    for refused in (acts.reports(), acts.lift("mute", "omar"), acts.ban("omar", "x", None), Admin(omid).audit(10)):
        with pytest.raises(AccountError, match=r"account\.gone"):
            await refused


async def test_a_moderator_reads_nothing_of_what_is_said_about_them(either: Database) -> None:
    """A reported moderator found on the desk, and in the audit log, who had reported them and what the others noted."""
    clock = FakeClock()
    ids, conduct, accounts = await people(either, clock), Conduct(either, clock), Accounts(either, clock, Limits())
    for handle, role in (("omid", "moderator"), ("tarn", "admin")):
        await either.write(stored_accounts.set_role, ids[handle], role, True)
    [key] = await accounts.keys.of(ids["omid"])
    as_guest = StoredSession("s9", "p1", "guest-x7k2mnpq", "198.51.100.7", clock.now(), None, key.fingerprint)
    await here(either, clock, as_guest)
    at_tarn = Actor(either, clock, LocalBus(), "tarn")
    omid, tarn = Moderation(Actor(either, clock, LocalBus(), "omid")), Moderation(at_tarn)
    about = await conduct.report(ids["mira"], "omid", "takes sides")
    await conduct.report(ids["mira"], "guest-x7k2mnpq", "spoils games")
    await conduct.report(ids["mira"], "tarn", "rude")

    assert [one.why for one in await omid.reports()] == ["rude"]
    assert [one.why for one in await tarn.reports()] == ["takes sides", "spoils games"], (
        "an admin's are for others, too"
    )
    assert (await omid.count_reports(), await tarn.count_reports()) == (1, 2)
    assert not await omid.close_report(about)
    assert not await omid.close_report(about + 1), "theirs as a guest is not theirs to close"
    assert not await omid.close_report(999), "it reads like one that is not there"

    await tarn.remark("omid", "to be banned on Monday")
    assert await tarn.close_report(about)
    await accounts.rename(ids["omid"], "omar")
    at_omar = Actor(either, clock, LocalBus(), "omar")
    omar = Moderation(at_omar)
    await omar.remark("mira", "asked twice")
    assert [line.why for line in await Admin(at_omar).audit(10)] == ["asked twice"]
    assert (await omar.dossier("omar")).acts == []
    assert [line.act for line in await Admin(at_tarn).audit(10)] == ["note", "report handled", "note"]
    console = Admin(Actor(either, clock, LocalBus()))
    assert [line.act for line in await console.audit(10)] == ["note", "report handled", "note"], "beside, all is read"
    await console.moderation.mute("omar", "too loud", None)
    assert [line.act for line in await Admin(at_omar).audit(10)] == ["mute", "note"], (
        "of what holds they are told anyway"
    )
