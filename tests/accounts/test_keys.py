"""The keys of an account: proposing, linking, removing, logging out; on both databases where they could differ."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import replace
from datetime import timedelta
from typing import Any

import asyncssh
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from server.accounts.accounts import Accounts
from server.accounts.actor import Actor
from server.accounts.errors import AccountError
from server.accounts.keys import FEED, MOST_KEYS, MOST_PROPOSALS, NOTICES, brought_by
from server.accounts.moderation import Moderation
from server.accounts.publickeys import read_public_key
from server.admin.acts import Admin
from server.bus.bus import LocalBus
from server.config import Limits
from server.errors import RateLimited, Refused
from server.ssh.algorithms import is_acceptable
from server.store import notice_topics, processes
from server.store.accounts import StoredKey
from server.store.database import Database
from server.store.processes import StoredSession
from tests.accounts.exports import gathered
from tests.accounts.keyring import public_key
from tests.clocks import FakeClock
from tests.store.builders import START

DAY_S = 86_400


def fp(name: str) -> str:
    return read_public_key(public_key(name)).fingerprint


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def accounts(either: Database, clock: FakeClock) -> Accounts:
    return Accounts(either, clock, Limits(accounts_per_hour=1000))


@pytest.fixture
async def local(database: Database, clock: FakeClock) -> Accounts:
    return Accounts(database, clock, Limits(accounts_per_hour=1000))


async def refused(attempt: object) -> str:
    with pytest.raises(AccountError) as found:
        await attempt  # type: ignore[misc]
    return found.value.key


async def mira(accounts: Accounts) -> int:
    return (await accounts.register("mira", public_key("a"), "192.0.2.1")).account.id


async def link(accounts: Accounts, account_id: int, name: str, by: str = "a") -> None:
    await accounts.keys.link(await accounts.keys.make_code(account_id, fp(by)), public_key(name))


# Proposing


async def test_somebody_s_public_key_is_not_the_account_s_because_somebody_added_it(accounts: Accounts) -> None:
    """`keys add` took any key at once: who added a stranger's key had the stranger log in as themselves."""
    me = await mira(accounts)
    made = await accounts.keys.propose(me, public_key("b"), fp("a"))
    assert await accounts.by_fingerprint(fp("b")) is None
    assert [key.fingerprint for key in await accounts.keys.of(me)] == [fp("a")]
    registered = await accounts.register("tarn", public_key("b"), "192.0.2.2")  # registering stays first
    assert registered.account.id != me
    assert await refused(accounts.keys.link(made.code, public_key("b"))) == "key.taken"


async def test_the_owner_of_a_proposed_key_links_it_with_its_code(accounts: Accounts) -> None:
    me = await mira(accounts)
    made = await accounts.keys.propose(me, public_key("b"), fp("a"), "laptop")
    assert (await accounts.keys.link(made.code, public_key("b"))).id == me
    [added] = [key for key in await accounts.keys.of(me) if key.fingerprint == fp("b")]
    assert (added.label, added.how, added.added_by) == ("laptop", "proposal", fp("a"))
    assert await accounts.keys.proposals(me) == []
    assert await refused(accounts.keys.link(made.code, public_key("c"))) == "code.unknown"


async def test_the_code_of_a_proposal_is_worth_nothing_to_another_key(accounts: Accounts) -> None:
    me = await mira(accounts)
    made = await accounts.keys.propose(me, public_key("b"), fp("a"))
    assert await refused(accounts.keys.link(made.code, public_key("c"))) == "code.unknown"
    assert (await accounts.keys.link(made.code, public_key("b"))).id == me


async def test_a_proposed_key_may_join_at_its_first_login(accounts: Accounts) -> None:
    me = await mira(accounts)
    tarn = (await accounts.register("tarn", public_key("t"), "192.0.2.2")).account.id
    await accounts.keys.propose(me, public_key("b"), fp("a"))
    await accounts.keys.propose(tarn, public_key("b"), fp("t"))
    assert {one.handle for one in await accounts.keys.invitations(fp("b"))} == {"mira", "tarn"}
    assert (await accounts.keys.join(tarn, public_key("b"))).handle == "tarn"
    assert await refused(accounts.keys.join(me, public_key("b"))) == "key.taken"
    assert await refused(accounts.keys.join(me, public_key("c"))) == "proposal.gone"


async def test_a_proposal_is_open_for_a_day(accounts: Accounts, clock: FakeClock) -> None:
    me = await mira(accounts)
    made = await accounts.keys.propose(me, public_key("b"), fp("a"))
    clock.shift(DAY_S)
    assert await accounts.keys.invitations(fp("b")) == []
    assert await refused(accounts.keys.join(me, public_key("b"))) == "proposal.gone"
    assert await refused(accounts.keys.link(made.code, public_key("b"))) == "code.unknown"


async def test_five_proposals_are_open_at_most_and_the_same_key_counts_once(accounts: Accounts) -> None:
    me = await mira(accounts)
    for i in range(MOST_PROPOSALS):
        await accounts.keys.propose(me, public_key(f"p{i}"), fp("a"))
    again = await accounts.keys.propose(me, public_key("p0"), fp("a"))
    assert await refused(accounts.keys.propose(me, public_key("p9"), fp("a"))) == "key.too-many-proposals"
    await accounts.keys.remove(me, fp("p1"), fp("a"))  # withdrawn
    await accounts.keys.propose(me, public_key("p9"), fp("a"))
    assert (await accounts.keys.link(again.code, public_key("p0"))).id == me


async def test_proposing_never_tells_whether_a_key_is_known(accounts: Accounts) -> None:
    me = await mira(accounts)
    await accounts.register("tarn", public_key("t"), "192.0.2.2")
    for name in ("t", "nobodys", "a"):  # another's, nobody's, one's own
        made = await accounts.keys.propose(me, public_key(name), fp("a"))
        assert (made.fingerprint, len(made.code)) == (fp(name), 11)
    assert {one.fingerprint for one in await accounts.keys.proposals(me)} == {fp("t"), fp("nobodys"), fp("a")}
    owner = await accounts.by_fingerprint(fp("t"))
    assert owner is not None
    assert owner.handle == "tarn"


async def test_an_account_has_twenty_keys_at_most(local: Accounts, database: Database, clock: FakeClock) -> None:
    me = await mira(local)
    made = await local.keys.propose(me, public_key("last"), fp("a"))
    for i in range(MOST_KEYS - 1):
        await link(local, me, f"k{i}")
    code = await local.keys.make_code(me, fp("a"))
    for attempt in (
        local.keys.link(code, public_key("more")),
        local.keys.link(made.code, public_key("last")),
        local.keys.join(me, public_key("last")),
        local.keys.propose(me, public_key("more"), fp("a")),
        Admin(Actor(database, clock, LocalBus())).add_key("mira", public_key("more")),
    ):
        assert await refused(attempt) == "key.too-many"
    assert len(await local.keys.of(me)) == MOST_KEYS


KINDS = (
    *[("ssh-ed25519", {}), ("ecdsa-sha2-nistp256", {}), ("ecdsa-sha2-nistp384", {}), ("ecdsa-sha2-nistp521", {})],
    *[("ssh-rsa", {"key_size": 1024}), ("ssh-rsa", {"key_size": 2048}), ("ssh-ed448", {})],
)


@pytest.mark.parametrize(("kind", "more"), KINDS)
def test_a_key_can_be_added_exactly_if_it_could_log_in(kind: str, more: dict[str, Any]) -> None:
    """An RSA key of 1024 bits was added, and then the login refused it."""
    key = asyncssh.generate_private_key(kind, **more)
    line = key.export_public_key("openssh").decode()
    if is_acceptable(key):
        assert read_public_key(line).fingerprint == key.get_fingerprint("sha256")
    else:
        with pytest.raises(AccountError, match=r"key\.weak" if kind == "ssh-rsa" else r"key\.unreadable"):
            read_public_key(line)


def test_an_rsa_key_with_a_long_exponent_took_a_hundred_times_as_long_to_verify() -> None:
    """Each login with a false signature by such a key held everybody up for 11 ms."""
    usual = rsa.generate_private_key(65537, 2048).public_key().public_numbers()
    for exponent, is_taken in ((3, True), (usual.e, True), (usual.n - 2, False)):
        made = rsa.RSAPublicNumbers(exponent, usual.n).public_key()
        line = made.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()
        assert is_acceptable(asyncssh.import_public_key(line)) is is_taken
        if is_taken:
            assert read_public_key(line).line == line
        else:
            with pytest.raises(AccountError, match="unreadable"):
                read_public_key(line)


def test_a_key_that_is_cut_or_has_more_than_it_should_is_refused() -> None:
    blob = base64.b64decode(public_key("a").split()[1])
    for other in (blob[:-1], blob + b"\x00", blob + b"\x00\x00\x00\x00", blob[:-32] + b"\x00\x00\x00\x21" + blob[-33:]):
        with pytest.raises(AccountError):
            read_public_key(f"ssh-ed25519 {base64.b64encode(other).decode()}")
    with pytest.raises(AccountError):
        read_public_key(f"ssh-rsa {base64.b64encode(blob).decode()}")


# Removing


async def test_what_a_removed_key_has_made_is_void(accounts: Accounts) -> None:
    """A key that was removed had made a link code, and a fresh key took the account back with it."""
    me = await mira(accounts)
    await link(accounts, me, "thief")
    code = await accounts.keys.make_code(me, fp("thief"))
    made = await accounts.keys.propose(me, public_key("fresh"), fp("thief"))
    await accounts.keys.remove(me, fp("thief"), fp("a"))
    assert await refused(accounts.keys.link(code, public_key("fresh"))) == "code.unknown"
    assert await refused(accounts.keys.link(made.code, public_key("fresh"))) == "code.unknown"
    assert await refused(accounts.keys.join(me, public_key("fresh"))) == "proposal.gone"
    assert await accounts.by_fingerprint(fp("fresh")) is None


async def test_a_session_that_outlives_its_key_by_a_moment_can_do_nothing(accounts: Accounts) -> None:
    me = await mira(accounts)
    await link(accounts, me, "thief")
    await accounts.keys.remove(me, fp("thief"), fp("a"))
    for attempt in (
        accounts.keys.make_code(me, fp("thief")),
        accounts.keys.propose(me, public_key("fresh"), fp("thief")),
        accounts.keys.remove(me, fp("a"), fp("thief")),
        accounts.keys.new_recovery_codes(me, fp("thief")),
        accounts.keys.label(me, fp("a"), "mine", fp("thief")),
        accounts.log_out(me, "s1", fp("thief")),
        accounts.delete(me, fp("thief")),
    ):
        assert await refused(attempt) == "key.gone"


async def test_the_order_names_the_keys_that_are_gone(accounts: Accounts, either: Database) -> None:
    me = await mira(accounts)
    await link(accounts, me, "b")
    await accounts.keys.remove(me, fp("b"), fp("a"))
    came, gone = await either.read(processes.orders_after, 0)
    assert [came.kind, came.data] == ["keys", {"account": me, "keys": []}]
    assert (gone.kind, gone.data) == ("keys", {"account": me, "keys": [fp("b")]})
    await accounts.delete(me, fp("a"))
    assert [one.kind for one in await either.read(processes.orders_after, 0)] == ["forget"]  # no trace of the key


async def test_keys_that_a_removed_one_had_linked_are_told_and_may_go_with_it(
    accounts: Accounts, clock: FakeClock
) -> None:
    me = await mira(accounts)
    await link(accounts, me, "thief")
    await link(accounts, me, "one", by="thief")
    await link(accounts, me, "two", by="one")
    await link(accounts, me, "mine")
    clock.shift(DAY_S)
    kept = await accounts.keys.remove(me, fp("one"), fp("a"))
    assert kept.left == (fp("two"),)
    gone = await accounts.keys.remove(me, fp("thief"), fp("a"), with_linked=True)  # the line did not break
    assert set(gone.removed) == {fp("thief"), fp("two")}
    assert {key.fingerprint for key in await accounts.keys.of(me)} == {fp("a"), fp("mine")}


async def test_the_acting_key_and_what_it_linked_never_go_with_the_one_that_linked_it(
    accounts: Accounts, clock: FakeClock
) -> None:
    """The laptop was linked from the desktop that was stolen."""
    me = await mira(accounts)
    await link(accounts, me, "laptop")
    await link(accounts, me, "phone", by="laptop")
    await link(accounts, me, "thief")
    clock.shift(DAY_S)
    gone = await accounts.keys.remove(me, fp("a"), fp("laptop"), with_linked=True)
    assert set(gone.removed) == {fp("a"), fp("thief")}
    assert {key.fingerprint for key in await accounts.keys.of(me)} == {fp("laptop"), fp("phone")}


def test_a_key_that_was_there_before_is_not_of_a_later_one_s_line() -> None:
    early = StoredKey("early", 1, "", START, added_by="again")
    again = StoredKey("again", 1, "", START + timedelta(seconds=1), added_by="early")
    assert brought_by([early, again], "again") == ()
    assert brought_by([early, again], "early") == ("again",)
    assert brought_by([early, replace(again, added_at=START)], "again") == ("early",)  # no circle without an end


async def test_a_young_key_has_no_say_over_older_ones(accounts: Accounts, clock: FakeClock) -> None:
    """Somebody at an unlocked terminal linked a key of theirs, removed the owner's, took name and data along."""
    made = await accounts.register("mira", public_key("a"), "192.0.2.1")
    me = made.account.id
    clock.shift(30 * DAY_S)
    await accounts.keys.propose(me, public_key("proposed"), fp("a"))
    await link(accounts, me, "thief")
    for attempt in (
        accounts.keys.remove(me, fp("a"), fp("thief")),
        accounts.keys.new_recovery_codes(me, fp("thief")),  # or it would remove them with one of these
        accounts.delete(me, fp("thief")),
        accounts.rename(me, "nadia", fp("thief")),
        accounts.export(me, fp("thief")),
        accounts.log_out(me, "s1", fp("thief")),
        accounts.log_out(me, "s1", fp("thief"), key=fp("a")),
        accounts.keys.make_code(me, fp("thief")),
        accounts.keys.propose(me, public_key("fresh"), fp("thief")),
        accounts.keys.remove(me, fp("proposed"), fp("thief")),  # withdraw what the owner has proposed
    ):
        assert await refused(attempt) == "key.young"
    assert await accounts.log_out(me, "s1", fp("thief"), key=fp("thief")) == 0
    await accounts.keys.remove(me, fp("thief"), fp("thief"))  # itself it may
    await link(accounts, me, "laptop")
    await accounts.keys.remove(me, fp("a"), fp("laptop"), recovery=made.recovery_codes[0])
    assert [key.fingerprint for key in await accounts.keys.of(me)] == [fp("laptop")]
    assert await refused(accounts.keys.link(made.recovery_codes[0], public_key("x"))) == "code.unknown"  # used up


async def test_the_first_key_and_one_by_a_recovery_code_may_all_at_once(accounts: Accounts, clock: FakeClock) -> None:
    made = await accounts.register("mira", public_key("a"), "192.0.2.1")
    me = made.account.id
    await accounts.rename(me, "nadia", fp("a"))
    clock.shift(30 * DAY_S)
    await accounts.keys.link(made.recovery_codes[0], public_key("b"))
    await accounts.keys.make_code(me, fp("b"))
    await gathered(await accounts.export(me, fp("b")))
    await accounts.rename(me, "mira", fp("b"))
    await accounts.log_out(me, "s1", fp("b"))
    await accounts.delete(me, fp("b"))


async def test_a_young_key_does_not_moderate(accounts: Accounts, either: Database, clock: FakeClock) -> None:
    me = await mira(accounts)
    await accounts.set_role(me, "admin", held=True)
    clock.shift(30 * DAY_S)
    await link(accounts, me, "thief")
    young, old = (Moderation(Actor(either, clock, LocalBus(), "mira", None, fp(key))) for key in ("thief", "a"))
    assert await refused(young.is_allowed()) == "key.young"
    assert await old.is_allowed()
    clock.shift(DAY_S)
    assert await young.is_allowed()


async def test_after_a_day_a_key_is_as_good_as_any(accounts: Accounts, clock: FakeClock) -> None:
    me = await mira(accounts)
    clock.shift(60)
    await link(accounts, me, "b")
    clock.shift(DAY_S - 1)
    assert await refused(accounts.keys.remove(me, fp("a"), fp("b"))) == "key.young"
    clock.shift(1)
    await accounts.keys.remove(me, fp("a"), fp("b"))


async def test_who_came_back_by_a_recovery_code_removes_older_keys_at_once(
    accounts: Accounts, clock: FakeClock
) -> None:
    made = await accounts.register("mira", public_key("stolen"), "192.0.2.1")
    clock.shift(60)
    await accounts.keys.link(made.recovery_codes[0], public_key("fresh"))
    removal = await accounts.keys.remove(made.account.id, fp("stolen"), fp("fresh"))
    assert removal.recovery_codes == ()  # nobody renewed them: they stay
    assert await accounts.keys.link(made.recovery_codes[1], public_key("third"))


async def test_recovery_codes_that_a_removed_key_renewed_are_void_and_new_ones_are_given(
    accounts: Accounts, clock: FakeClock
) -> None:
    made = await accounts.register("mira", public_key("a"), "192.0.2.1")
    me = made.account.id
    await link(accounts, me, "thief")
    clock.shift(DAY_S)
    theirs = await accounts.keys.new_recovery_codes(me, fp("thief"))
    removal = await accounts.keys.remove(me, fp("thief"), fp("a"))
    assert len(removal.recovery_codes) == 8
    for void in (theirs[0], made.recovery_codes[0]):
        assert await refused(accounts.keys.link(void, public_key("x"))) == "code.unknown"
    assert (await accounts.keys.link(removal.recovery_codes[0], public_key("x"))).id == me


async def test_recovery_codes_can_not_be_guessed_where_a_key_is_removed(local: Accounts, clock: FakeClock) -> None:
    me = await mira(local)
    other = await local.register("tarn", public_key("t"), "192.0.2.2")
    clock.shift(60)
    await link(local, me, "b")
    codes = [other.recovery_codes[0], *(f"guess{i}" for i in range(9))]
    for code in codes:
        attempt = local.keys.remove(me, fp("a"), fp("b"), recovery=code, source="192.0.2.9")
        assert await refused(attempt) == "code.unknown"
    with pytest.raises(RateLimited):
        await local.keys.remove(me, fp("a"), fp("b"), recovery="more", source="192.0.2.9")
    with pytest.raises(RateLimited):  # one limit over both ways
        await local.keys.link("more", public_key("c"), "192.0.2.9")


async def test_a_recovery_code_of_somebody_else_was_used_up_where_a_key_is_removed(
    local: Accounts, clock: FakeClock
) -> None:
    me = await mira(local)
    other = await local.register("tarn", public_key("t"), "192.0.2.2")
    clock.shift(60)
    await link(local, me, "b")
    linking = await local.keys.make_code(me, fp("a"))
    for code in (other.recovery_codes[0], linking):
        assert await refused(local.keys.remove(me, fp("a"), fp("b"), recovery=code)) == "code.unknown"
    assert (await local.keys.link(other.recovery_codes[0], public_key("u"))).id == other.account.id
    assert (await local.keys.link(linking, public_key("c"))).id == me


async def test_who_stole_a_key_read_on_in_a_feed_and_a_topic_after_its_removal(
    local: Accounts, database: Database, clock: FakeClock
) -> None:
    """Both are the account's, and nobody knows by which key they were made."""
    me = await mira(local)
    await link(local, me, "b")
    clock.shift(DAY_S)
    secret = await local.feeds.make(me, fp("b"))
    topic = notice_topics.StoredTopic(me, "https://ntfy.example/thief", ("my_turn",), None)
    await database.write(notice_topics.change, me, lambda _: topic)
    removal = await local.keys.remove(me, fp("b"), fp("a"))
    assert removal.ended == (FEED, NOTICES)
    assert await local.feeds.reader_of(secret) is None
    assert await database.read(notice_topics.confirmed) == []


async def test_a_proposal_that_is_withdrawn_ends_no_feed(local: Accounts) -> None:
    me = await mira(local)
    secret = await local.feeds.make(me, fp("a"))
    await local.keys.propose(me, public_key("b"), fp("a"))
    assert (await local.keys.remove(me, fp("b"), fp("a"))).ended == ()
    assert await local.feeds.reader_of(secret) is not None


async def test_of_two_keys_that_remove_each_other_at_once_one_stays(accounts: Accounts, clock: FakeClock) -> None:
    me = await mira(accounts)
    await link(accounts, me, "b")
    clock.shift(DAY_S)
    attempts = (accounts.keys.remove(me, fp("a"), fp("b")), accounts.keys.remove(me, fp("b"), fp("a")))
    outcomes = await asyncio.gather(*attempts, return_exceptions=True)
    assert sum(isinstance(one, AccountError) for one in outcomes) == 1
    assert len(await accounts.keys.of(me)) == 1


async def test_a_ban_voids_codes_and_proposals(accounts: Accounts, either: Database, clock: FakeClock) -> None:
    me = await mira(accounts)
    desk = Moderation(Actor(either, clock, LocalBus()))
    for target in ("mira", fp("a")):
        code = await accounts.keys.make_code(me, fp("a"))
        made = await accounts.keys.propose(me, public_key("b"), fp("a"))
        await desk.ban(target, "spam", timedelta(minutes=1))
        assert await refused(accounts.keys.link(code, public_key("b"))) == "code.unknown"
        assert await refused(accounts.keys.link(made.code, public_key("b"))) == "code.unknown"
        assert await accounts.keys.invitations(fp("b")) == []


async def test_a_deleted_account_s_proposals_are_gone(accounts: Accounts) -> None:
    me = await mira(accounts)
    await accounts.keys.propose(me, public_key("b"), fp("a"), "work laptop")
    exported = await gathered(await accounts.export(me))
    proposals: Any = exported["proposals"]
    [told] = proposals
    assert (told["fingerprint"], told["label"]) == (fp("b"), "work laptop")
    assert "code_hash" not in told
    await accounts.delete(me, fp("a"))
    assert await accounts.keys.invitations(fp("b")) == []
    assert await refused(accounts.keys.join(me, public_key("b"))) == "proposal.gone"


# What the owner is shown


async def test_a_key_has_a_label_and_the_day_of_its_last_use_and_nothing_finer(
    accounts: Accounts, clock: FakeClock
) -> None:
    me = await mira(accounts)
    await accounts.keys.label(me, fp("a"), "desk\x1b[2J " + "x" * 32, fp("a"))
    clock.shift(3 * DAY_S + 4711)
    await accounts.keys.record_use(fp("a"))
    [key] = await accounts.keys.of(me)
    assert key.label == "desk[2J " + "x" * 32
    with pytest.raises(Refused):
        await accounts.keys.label(me, fp("a"), "x" * 41, fp("a"))
    assert key.used_day == (clock.now()).replace(hour=0, minute=0, second=0, microsecond=0)
    assert await refused(accounts.keys.label(me, fp("b"), "not mine", fp("a"))) == "key.unknown"


async def test_a_proposed_key_is_called_as_its_line_says(local: Accounts) -> None:
    me = await mira(local)
    await local.keys.propose(me, public_key("b"), fp("a"))
    [proposal] = await local.keys.proposals(me)
    assert proposal.label == "b@example"


async def test_open_sessions_are_listed_and_ended_everywhere_else(
    accounts: Accounts, either: Database, clock: FakeClock
) -> None:
    me = await mira(accounts)
    await either.write(processes.arrive, "p1", 1, "here", clock.now())
    here = [
        StoredSession("s1", "p1", "mira", "192.0.2.1", START, me, fp("a")),
        StoredSession("s2", "p1", "mira", "192.0.2.7", START, me, fp("b")),
        StoredSession("s3", "p1", "tarn", "192.0.2.8", START, me + 1, fp("t")),
    ]
    await either.write(processes.beat, "p1", clock.now(), here)
    assert [one.id for one in await accounts.sessions(me)] == ["s1", "s2"]
    assert await accounts.log_out(me, "s1", fp("a")) == 1
    assert await accounts.log_out(me, "s1", fp("a"), key=fp("a")) == 0
    orders = await either.read(processes.orders_after, 0)
    assert [one.data for one in orders] == [
        {"account": me, "key": None, "but": "s1"},
        {"account": me, "key": fp("a"), "but": "s1"},
    ]
