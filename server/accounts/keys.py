"""The keys of an account: current keys, proposals, link codes and recovery codes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from server.accounts import codes, departing
from server.accounts.errors import AccountError
from server.accounts.publickeys import PublicKey, read_public_key
from server.accounts.rate_limits import DAY, check_wrong_codes, count_wrong_code, order_for
from server.accounts.sources import Sources
from server.accounts.young_keys import check_acting, found_account
from server.bus.bus import Bus
from server.bus.orders import hint
from server.clock import Clock
from server.sanitize import clean_whole
from server.store import accounts as stored
from server.store import feeds, notice_topics, processes
from server.store import proposals as stored_proposals
from server.store.accounts import (
    BY_ADMIN,
    BY_CODE,
    BY_PROPOSAL,
    BY_RECOVERY,
    FIRST,
    LINK,
    RECOVERY,
    Account,
    StoredCode,
)
from server.store.accounts import StoredKey as StoredKey
from server.store.columns import Json
from server.store.database import Database
from server.store.proposals import Invitation as Invitation
from server.store.proposals import Proposal as Proposal

T = TypeVar("T")
LINK_CODE_LIVES = timedelta(minutes=10)
PROPOSAL_LIVES = DAY
SETTLED_AFTER = DAY  # from this age on an account's limits are its own, whatever its network does
MOST_KEYS = 20
MOST_PROPOSALS = 5
LABEL_CHARS = 40
FEED, NOTICES = "feed", "notices"


@dataclass(frozen=True, slots=True)
class Proposed:
    """A newly proposed key, and the code that its owner links it with."""

    fingerprint: str
    code: str


@dataclass(frozen=True, slots=True)
class Removal:
    """What a removal took away (fingerprints), the keys that the removed ones had linked and that stay, new recovery
    codes, where the old ones were renewed by a removed key and are void now, and what else ended: FEED, NOTICES."""

    removed: tuple[str, ...]
    left: tuple[str, ...] = ()
    recovery_codes: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()


class Keys:
    """The service for the keys of accounts: what owners can do with them, with proposals and with codes.

    `by` is always the fingerprint of the key in whose name something is done: it must still open the account, since
    a session outlives the removal of its key by a moment. None: the server does it.
    """

    def __init__(self, database: Database, clock: Clock, choose: Callable[[str], str], bus: Bus | None) -> None:
        self._database = database
        self._clock = clock
        self._choose = choose
        self._bus = bus
        self._noted: tuple[datetime, set[str]] = (clock.now(), set())

    # Current keys

    async def of(self, account_id: int) -> list[StoredKey]:
        """Return the keys of an account, the oldest first."""
        return await self._database.read(stored.keys_of, account_id)

    async def record_use(self, fingerprint: str) -> None:
        """Store the day on which a key logged in; the time of day is not kept."""
        day = day_of(self._clock.now())
        if self._noted[0] != day:
            self._noted = day, set()
        if fingerprint not in self._noted[1]:
            await self._database.write(stored.record_key_use, fingerprint, day)
            self._noted[1].add(fingerprint)

    async def label(self, account_id: int, fingerprint: str, label: str, by: str | None = None) -> None:
        """Name a key. Raises AccountError when the account does not have it. A young key may, too."""
        now = self._clock.now()

        def work(connection: Connection) -> None:
            check_acting(connection, account_id, by, now, ())
            if not stored.label_key(connection, account_id, fingerprint, clean_whole(label, LABEL_CHARS)):
                raise AccountError("key.unknown")
            tell_changed(connection, account_id, by, now)

        await self._database.write(work)
        hint(self._bus)

    async def remove(
        self,
        account_id: int,
        fingerprint: str,
        by: str | None = None,
        *,
        with_linked: bool = False,
        recovery: str = "",
        source: str = "",
    ) -> Removal:
        """Remove a key, or withdraw a proposal: its sessions end everywhere, its codes and proposals are void.

        The account's feed and topic end with a key: whoever held it may read along there.

        `with_linked`: those it had linked, and they in turn, go too; never the acting key and what that one linked.
        Raises AccountError when the key is not there, is the last one, or is older than the acting one while that is
        young, unless a `recovery` code is given (it is used up) or brought the acting key here; RateLimited after
        too many wrong codes of this account, where it is new also from `source` or the networks around.
        """
        new, now = codes.new_recovery_codes(self._choose), self._clock.now()

        def work(connection: Connection) -> Removal | None:
            check_acting(connection, account_id, by, now, ())
            held = {key.fingerprint: key for key in stored.keys_of(connection, account_id)}
            if fingerprint not in held:
                check_acting(connection, account_id, by, now)
                if stored_proposals.withdraw(connection, account_id, fingerprint):
                    tell_changed(connection, account_id, by, now)
                    return Removal((fingerprint,))
                raise AccountError("key.unknown")
            linked = brought_by(held.values(), fingerprint, spared=by)
            gone = (fingerprint, *linked) if with_linked else (fingerprint,)
            if len(gone) == len(held):
                raise AccountError("key.last")
            try:
                check_acting(connection, account_id, by, now, gone)
            except AccountError:
                if not recovery:
                    raise
                if not _use_recovery(connection, account_id, recovery, source, now):
                    return None  # counted, so committed
            left = () if with_linked else linked
            return self._remove(connection, account_id, gone, left, new, by, now)

        removal = await self._database.write(work)
        if removal is None:
            raise AccountError("code.unknown")
        hint(self._bus)
        return removal

    def _remove(
        self,
        connection: Connection,
        account_id: int,
        gone: tuple[str, ...],
        left: tuple[str, ...],
        new: tuple[str, ...],
        by: str | None,
        now: datetime,
    ) -> Removal:
        """Remove keys with their codes, proposals and what they may read, end their sessions; `new`: recovery codes."""
        departing.depart(connection, account_id, gone, now)
        for one in gone:
            stored.remove_key(connection, account_id, one)
        stored_proposals.drop_made_by(connection, gone)
        renewed = RECOVERY in stored.drop_codes_made_by(connection, gone, (LINK, RECOVERY))
        if renewed:
            stored.add_codes(connection, [codes.recovery(code, account_id, now) for code in new])
        has_ended = {FEED: feeds.drop(connection, account_id), NOTICES: notice_topics.end(connection, account_id)}
        tell_changed(connection, account_id, by, now, gone)
        return Removal(gone, left, new if renewed else (), tuple(what for what in has_ended if has_ended[what]))

    async def new_recovery_codes(self, account_id: int, by: str | None = None) -> tuple[str, ...]:
        """Make new recovery codes; the old ones are void.

        Raises AccountError for a young key where there are older ones: with such a code it could remove them.
        """
        new, now = codes.new_recovery_codes(self._choose), self._clock.now()

        def work(connection: Connection) -> None:
            check_acting(connection, account_id, by, now)
            stored.drop_codes(connection, account_id, RECOVERY)
            stored.add_codes(connection, [codes.recovery(code, account_id, now, by) for code in new])

        await self._database.write(work)
        return new

    async def check_acting(self, account_id: int, by: str | None) -> None:
        """Raise AccountError where a key may not act on the account as a whole."""
        await self._database.write(check_acting, account_id, by, self._clock.now())  # it locks, so no mere reading

    # Proposals and link codes

    async def make_code(self, account_id: int, by: str | None = None) -> str:
        """Return a new one-time code that links another key within ten minutes; older ones are void.

        Raises AccountError for a young key where there are older ones, as everything that is not theirs to do.
        """
        code, now = codes.new_code(codes.LINK_CHARS, self._choose), self._clock.now()
        kept = StoredCode(codes.code_hash(code), account_id, LINK, now, now + LINK_CODE_LIVES, by)

        def work(connection: Connection) -> None:
            check_acting(connection, account_id, by, now)
            stored.drop_codes(connection, account_id, LINK)
            stored.add_codes(connection, [kept])

        await self._database.write(work)
        return code

    async def propose(self, account_id: int, public_key: str, by: str | None = None, label: str = "") -> Proposed:
        """Propose a key: within a day its owner may link it with the code, or join at its first login.

        What comes back is the same whether the key opens another account or none. Raises AccountError for a key that
        could not log in here, and where too many are proposed or held.
        """
        key, now = read_public_key(public_key), self._clock.now()
        code = codes.new_code(codes.LINK_CHARS, self._choose)
        named = clean_whole(label, LABEL_CHARS) or key.comment
        lasts_until = now + PROPOSAL_LIVES
        made = Proposal(key.fingerprint, account_id, codes.code_hash(code), named, by, now, lasts_until)

        def work(connection: Connection) -> None:
            check_acting(connection, account_id, by, now)
            stored_proposals.drop_expired(connection, account_id, now)
            others = [
                one
                for one in stored_proposals.open_of(connection, account_id, now)
                if one.fingerprint != key.fingerprint
            ]
            if len(others) >= MOST_PROPOSALS:
                raise AccountError("key.too-many-proposals", n=MOST_PROPOSALS)
            _check_key_count(connection, account_id)
            stored_proposals.make(connection, made)
            tell_changed(connection, account_id, by, now)

        await self._database.write(work)
        hint(self._bus)
        return Proposed(key.fingerprint, code)

    async def proposals(self, account_id: int) -> list[Proposal]:
        """Return the open proposals for an account."""
        return await self._database.read(stored_proposals.open_of, account_id, self._clock.now())

    async def invitations(self, fingerprint: str) -> list[Invitation]:
        """Return the accounts that this key was proposed for. Only for a person who has proven the key."""
        return await self._database.read(stored_proposals.invitations, fingerprint, self._clock.now())

    async def join(self, account_id: int, public_key: str) -> Account:
        """Let a key open the account it was proposed for; its owner, who has proven it, agrees. Raises AccountError."""
        key, now = read_public_key(public_key), self._clock.now()

        def work(connection: Connection) -> Account:
            check_unknown(connection, key)
            found = stored_proposals.of_key(connection, key.fingerprint, account_id, now)
            if found is None:
                raise AccountError("proposal.gone")
            return self._confirm(connection, key, found, now)

        return await write_unique(self._database, self._bus, work, "key.taken")

    async def link(self, code: str, public_key: str, source: str = "") -> Account:
        """Let a key open the account that made `code`, that proposed this key with it, or whose recovery code it is.

        The code is used up. Raises AccountError when the code is unknown, used, too old or meant for another key, or
        the key opens an account already; RateLimited after too many wrong ones from this address or its networks.
        """
        key, now, who = read_public_key(public_key), self._clock.now(), Sources.of((source,))

        def work(connection: Connection) -> Account | None:
            check_unknown(connection, key)
            check_wrong_codes(connection, who, now)
            proposal = stored_proposals.of_code(connection, codes.code_hash(code), key.fingerprint, now)
            if proposal is not None:
                return self._confirm(connection, key, proposal, now)
            taken = stored.use_code(connection, codes.code_hash(code), now)
            if taken is None:
                count_wrong_code(connection, who, now)
                return None  # counted, so committed
            how = BY_RECOVERY if taken.kind == RECOVERY else BY_CODE
            by = taken.made_by if taken.kind == LINK else None
            made = stored_key(key, taken.account_id, now, how, by)
            return add_key(connection, made, taken.made_by or key.fingerprint)

        account = await write_unique(self._database, self._bus, work, "key.taken")
        if account is None:
            raise AccountError("code.unknown")
        return account

    def _confirm(self, connection: Connection, key: PublicKey, proposal: Proposal, now: datetime) -> Account:
        """Add a proposed key to its account."""
        stored_proposals.withdraw(connection, proposal.account_id, proposal.fingerprint)
        made = stored_key(key, proposal.account_id, now, BY_PROPOSAL, proposal.made_by, proposal.label)
        return add_key(connection, made, proposal.made_by or key.fingerprint)


async def write_unique(database: Database, bus: Bus | None, work: Callable[[Connection], T], taken: str) -> T:
    """Run `work`, which may give orders; raise AccountError(`taken`) where another took the name or key first."""
    try:
        done = await database.write(work)
    except IntegrityError:
        raise AccountError(taken) from None
    hint(bus)
    return done


def brought_by(keys: Collection[StoredKey], root: str, spared: str | None = None) -> tuple[str, ...]:
    """Return the keys that `root` linked or proposed, recursively, oldest first; without `spared` and its own."""
    held, found, more = {key.fingerprint: key for key in keys}, {root}, {root}
    while more:
        parents = {one: held[one].added_at for one in more if one in held}
        more = {
            key.fingerprint
            for key in keys  # older keys were linked by an earlier key of the same fingerprint
            if key.added_by in parents and key.added_at >= parents[key.added_by]
        } - {*found, spared}
        found |= more
    return tuple(one.fingerprint for one in keys if one.fingerprint in found and one.fingerprint != root)


def stored_key(
    key: PublicKey, account_id: int, now: datetime, how: str, by: str | None = None, label: str = ""
) -> StoredKey:
    """Return a key as it is stored."""
    used = None if how == BY_ADMIN else day_of(now)  # the other keys have logged in just now
    return StoredKey(key.fingerprint, account_id, key.line, now, None, label, how, by, used)


def day_of(moment: datetime) -> datetime:
    """Return the beginning of a moment's day."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def check_unknown(connection: Connection, key: PublicKey) -> None:
    """Raise AccountError when a key already opens an account."""
    if stored.by_fingerprint(connection, key.fingerprint) is not None:
        raise AccountError("key.taken")


def is_settled(account: Account, now: datetime) -> bool:
    """Tell whether an account is a day old: its limits are its own (`Sources`)."""
    return now - account.created_at >= SETTLED_AFTER


def _use_recovery(connection: Connection, account_id: int, recovery: str, source: str, now: datetime) -> bool:
    """Use a recovery code up; return whether it is the account's. A wrong one is counted. Raises RateLimited."""
    account = found_account(stored.by_id(connection, account_id))
    who = Sources.of((source,), account_id, is_settled(account, now))
    check_wrong_codes(connection, who, now)
    is_theirs = stored.use_code(connection, codes.code_hash(recovery), now, recovery_of=account_id) is not None
    if not is_theirs:
        count_wrong_code(connection, who, now)
    return is_theirs


def _check_key_count(connection: Connection, account_id: int) -> None:
    if len(stored.keys_of(connection, account_id)) >= MOST_KEYS:
        raise AccountError("key.too-many", n=MOST_KEYS)


def tell_changed(
    connection: Connection, account_id: int, by: str | None, now: datetime, gone: Sequence[str] = ()
) -> None:
    """Order that sessions of keys that are `gone` end, and that the account's others show its keys as they are.

    `by`: the key whose doing it is; None: the server's. Raises RateLimited.
    """
    told: dict[str, Json] = {"account": account_id, "keys": list(gone)}
    if by is None:
        processes.give_order(connection, "keys", told, now)
    else:
        order_for(connection, account_id, "keys", told, now, by)


def add_key(connection: Connection, key: StoredKey, by: str | None) -> Account:
    """Add a key to an account, with the sanctions that the key brings. `by`: whose doing it is, as in `tell_changed`.

    Raises AccountError where the account is gone or full, RateLimited.
    """
    stored.lock(connection, key.account_id)
    account = found_account(stored.by_id(connection, key.account_id))
    _check_key_count(connection, key.account_id)
    stored.add_key(connection, key)
    if key.how != FIRST:
        tell_changed(connection, key.account_id, by, key.added_at)
    departing.arrive(connection, key.account_id, key.fingerprint, key.added_at)
    return account
