"""What moderators read and do, whether by commands or on their screen."""

from __future__ import annotations

from datetime import timedelta

import pytest

from server.accounts.accounts import Accounts
from server.accounts.conduct import Conduct
from server.accounts.errors import AccountError
from server.accounts.moderation import Moderation
from server.bus.bus import LocalBus
from server.config import Limits
from server.store import accounts as stored_accounts
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
    accounts, desk = Accounts(either, clock, Limits()), Moderation(either, clock, LocalBus(), "omid")
    await conduct.report(ids["mira"], "tarn", "rude")
    await conduct.report(ids["mira"], "omid", "odd")
    await accounts.rename(ids["tarn"], "tern")
    first, second = await desk.reports()
    assert (first.by_handle, first.about_name, first.about_handle) == ("mira", "tarn", "tern")
    assert second.about_handle == "omid"
    assert await desk.count_reports() == 2
    await accounts.delete(ids["mira"])
    assert (await desk.reports())[0].by_handle is None
    assert await desk.handle_report(first.id)
    assert await desk.count_reports() == 1


async def test_a_dossier_has_what_holds_what_was_noted_and_where_somebody_is(either: Database) -> None:
    clock = FakeClock()
    ids, desk = await people(either, clock), Moderation(either, clock, LocalBus(), "omid")
    await either.write(processes.arrive, "p1", 1, "here", clock.now())
    session = StoredSession("s1", "p1", "tarn", "192.0.2.7", clock.now(), ids["tarn"], "SHA256:t")
    await either.write(processes.beat, "p1", clock.now(), [session])
    await desk.remark("tarn", "was asked nicely\x1b[2J")
    await desk.mute("tarn", "too loud", timedelta(hours=1))
    await desk.ban("mira", "spam", None)
    known = await desk.dossier("tarn")
    assert [(one.act, one.why) for one in known.sanctions] == [("mute", "too loud")]
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
    ids, desk = await people(database, clock), Moderation(database, clock, LocalBus(), "omid")
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
    desks = {name: Moderation(either, clock, LocalBus(), name) for name in ("tarn", "omid", "console")}
    with pytest.raises(AccountError) as refused:
        await getattr(desks["tarn"], act)("mira", "a coup", None)
    assert refused.value.key == "moderation.admin"
    assert (await desks["tarn"].dossier("mira")).sanctions == []
    for name in ("omid", "console"):
        await getattr(desks[name], act)("mira", "a quarrel", None)
        assert [one.act for one in (await desks[name].dossier("mira")).sanctions] == [act]
        assert await desks[name].lift(act, "mira")
