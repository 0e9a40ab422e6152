"""Conduct: who is banned, muted or blocked, reports, and the pause for those who leave matches.

Bans and mutes are few, so every process caches them and reads them again when an order says so: the listener and
the chat check them without a query.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from ipaddress import IPv4Network, IPv6Network, ip_network

from sqlalchemy import Connection

from server.accounts.departing import SECRET, key_hash
from server.accounts.errors import AccountError
from server.accounts.guestnames import is_guest_name
from server.accounts.identity import Identity, Player, bound_addresses
from server.accounts.rate_limits import DAY, count_or_refuse, order_for
from server.accounts.targets import account_of, guest_here, holds_address
from server.clock import Clock
from server.sanitize import clean, clean_whole
from server.store import accounts as stored_accounts
from server.store import conduct as stored
from server.store import departed_keys, following, processes
from server.store.accounts import CUT, LEAVING_COUNTS_FOR, LEFT
from server.store.columns import Json
from server.store.conduct import BAN, MUTE, Report, Sanction
from server.store.database import Database
from server.store.server_secrets import secret_for

REPORTS_PER_DAY = 10
WHY_CHARS = 500  # of a report, an act or a note
PAUSES = (0, 0, 5, 15, 60, 240, 1440)  # minutes after the 1st, 2nd, … leaving of a week; the first two only warn


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why somebody may not connect or chat; `until` None: for good. `contact`: whom to write to, or empty."""

    why: str
    until: datetime | None
    contact: str = ""


class Conduct:
    """Bans, mutes, blocks, reports and pauses. Call `refresh` at the start and whenever an order says so."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        contact: str = "",
        here: Callable[[Player], Sequence[Identity]] = lambda player: (),
    ) -> None:
        """`here` returns a person's connections to this process."""
        self._database = database
        self._clock = clock
        self._contact = clean(contact, 120)
        self._bans: tuple[Sanction, ...] = ()
        self._mutes: tuple[Sanction, ...] = ()
        self._networks: Mapping[str, IPv4Network | IPv6Network] = {}
        self._here = here
        self._departed: Mapping[str, frozenset[str]] = {}  # by key hash, the accounts that keys have left
        self._secret = b""

    async def refresh(self) -> None:
        """Read all bans and mutes again. Raises StoreUnavailable; then the cached ones stay in force."""
        now = self._clock.now()
        found = await self._database.read(stored.in_force, now)
        self._departed = await self._database.read(departed_keys.every)
        if self._departed and not self._secret:
            self._secret = await self._database.write(secret_for, SECRET, now)
        self._bans = tuple(sanction for sanction in found if sanction.act == BAN)
        self._mutes = tuple(sanction for sanction in found if sanction.act == MUTE)
        self._networks = {one.target: ip_network(one.target) for one in found if one.kind == "network"}

    def check_source(self, address: str) -> Refusal | None:
        """Return the ban of an address, None where it may connect."""
        return self._longest(self._bans, lambda ban: self._is_from(ban, address))

    def check_access(self, identity: Identity) -> Refusal | None:
        """Return the ban of a person, None without one: asked at login, and of all connections after a new ban."""
        holds = self._is_of(identity)
        return self._longest(self._bans, lambda ban: holds(ban) or self._is_from(ban, identity.source))

    def check_person(self, identity: Identity) -> Refusal | None:
        """Return the ban of a person's account or key, whatever their address."""
        return self._longest(self._bans, self._is_of(identity))

    def _is_of(self, identity: Identity) -> Callable[[Sanction], bool]:
        """Return what tells whether a sanction is of a person's account or key."""
        accounts = self._accounts_of(identity)
        return lambda one: (
            (one.kind == "account" and one.target in accounts)
            or (one.kind == "key" and one.target == identity.fingerprint)
        )

    def _accounts_of(self, identity: Identity) -> Collection[str]:
        """Return the accounts whose sanctions hold for somebody: their own, or those that a guest's key has left."""
        if identity.account_id is not None:
            return (str(identity.account_id),)
        if identity.fingerprint is None or not self._departed:
            return ()
        return self._departed.get(key_hash(self._secret, identity.fingerprint), ())

    def mute_of(self, player: Player) -> Refusal | None:
        """Return why and until when somebody may not chat, None when they may.

        Guests and accounts younger than a day are muted with their network, guests also with the account that their
        key has left.
        """
        here = self._here(player)
        addresses = bound_addresses(here)
        accounts = {one for who in here for one in self._accounts_of(who)}
        if player.account_id is not None:
            accounts.add(str(player.account_id))
        return self._longest(
            self._mutes,
            lambda mute: (
                (mute.kind == "account" and mute.target in accounts)
                or any(self._is_from(mute, address) for address in addresses)
            ),
        )

    def _longest(self, sanctions: Sequence[Sanction], hits: Callable[[Sanction], bool]) -> Refusal | None:
        """Return the one of some sanctions that holds for longest among those that hit."""
        now = self._clock.now()
        held = [one for one in sanctions if (one.until is None or one.until > now) and hits(one)]
        longest = next((one for one in held if not any(other.lasts_longer_than(one) for other in held)), None)
        return None if longest is None else Refusal(longest.why or "-", longest.until, self._contact)

    def _is_from(self, sanction: Sanction, address: str) -> bool:
        return sanction.kind == "network" and holds_address(self._networks[sanction.target], address)

    async def block(self, account_id: int, handle: str) -> int:
        """Block somebody: they are hidden and never paired; return their account.

        Raises AccountError if unknown, RateLimited.

        The person's other terminals and programs hear of it within a second.
        """

        def work(connection: Connection) -> int:
            other = stored_accounts.by_handle(connection, handle)
            if other is None:
                raise AccountError("handle.unknown", handle=clean(handle, 40))
            if other.id == account_id:
                raise AccountError("block.self")
            stored.block(connection, account_id, other.id, self._clock.now())
            following.unfollow(connection, account_id, other.id)
            order_for(connection, account_id, "block", {"account": account_id}, self._clock.now())
            return other.id

        return await self._database.write(work)

    async def hide_guest(self, account_id: int, name: str, is_hidden: bool) -> None:
        """Hide a guest at the person's terminals and from their programs, or show them again.

        It lasts for as long as these are here. Raises AccountError for a guest who has gone, RateLimited.
        """

        def work(connection: Connection) -> None:
            now = self._clock.now()
            if is_hidden and guest_here(connection, name, now) is None:
                raise AccountError("guest.gone", name=name)
            told: dict[str, Json] = {"account": account_id, "guest": name, "hidden": is_hidden}
            order_for(connection, account_id, "block", told, now)

        await self._database.write(work)

    async def unblock(self, account_id: int, handle: str) -> bool:
        """Unblock somebody; return whether they were blocked. Raises RateLimited."""

        def work(connection: Connection) -> bool:
            other = stored_accounts.by_handle(connection, handle)
            lifted = other is not None and stored.unblock(connection, account_id, other.id)
            if lifted:
                order_for(connection, account_id, "block", {"account": account_id}, self._clock.now())
            return lifted

        return await self._database.write(work)

    async def blocked_by(self, account_id: int) -> frozenset[int]:
        return await self._database.read(stored.blocked_by, account_id)

    async def blockers_of(self, account_id: int) -> frozenset[int]:
        return await self._database.read(stored.blockers_of, account_id)

    async def blocked_people(self, account_id: int) -> Mapping[int, str]:
        """Return the accounts that somebody has blocked, with their current handles."""
        return await self._database.read(stored.blocked_people, account_id)

    async def blocks_among(self, ids: Sequence[int]) -> frozenset[tuple[int, int]]:
        """Return the pairs (who, whom) among these people that may not be paired."""
        return await self._database.read(stored.blocks_among, ids)

    async def report(
        self, by: int, about: str, why: str, lines: Sequence[Mapping[str, Json]] = (), match_id: str | None = None
    ) -> int:
        """Keep a report with the chat as it is (`lines`: name, at, text, account). Raises AccountError, RateLimited.

        Of a guest it keeps, until it is closed, the address and key too: nothing else is known of them.
        """
        now = self._clock.now()

        def work(connection: Connection) -> int:
            made = Report(0, now, by, None, about, match_id, clean_whole(why, WHY_CHARS), lines)
            if is_guest_name(about):
                if (guest := guest_here(connection, about, now)) is not None:
                    made = replace(made, source=guest.source, fingerprint=guest.fingerprint)
            else:
                account = account_of(connection, about)
                if account.id == by:
                    raise AccountError("report.self")
                made = replace(made, about_account_id=account.id, about_name=account.handle)
            count_or_refuse(connection, "reports_per_day", "report", str(by), REPORTS_PER_DAY, DAY, now)
            report_id = stored.add_report(connection, made)
            told: dict[str, Json] = {"about": made.about_account_id, "key": made.fingerprint}
            processes.give_order(connection, "report", told, now)  # connected moderators are notified
            return report_id

        return await self._database.write(work)

    async def record_leaving(self, account_id: int, acted_at: datetime | None = None) -> datetime | None:
        """Count a rated match that somebody left or stalled; return the end of their pause, None: a warning only.

        Not called for an outage of the server. Nothing is counted where a ban of a network cut them off after
        `acted_at`, when they last did something in it.
        """
        now = self._clock.now()

        def work(connection: Connection) -> datetime | None:
            who, since = str(account_id), now - LEAVING_COUNTS_FOR
            if acted_at is not None and stored_accounts.strikes_since(connection, CUT, who, max(acted_at, since)):
                return None
            before = stored_accounts.strike(connection, LEFT, who, now, since)
            return _pause([*before, now], now)

        return await self._database.write(work)

    async def record_cut_off(self, account_ids: Collection[int]) -> None:
        """Note who is disconnected by a ban of a network: matches they leave by it are not counted."""
        now = self._clock.now()

        def work(connection: Connection) -> None:
            for account_id in account_ids:
                stored_accounts.strike(connection, CUT, str(account_id), now, now - LEAVING_COUNTS_FOR)

        if account_ids:
            await self._database.write(work)

    async def is_warned(self, account_id: int) -> bool:
        """Tell whether somebody has left rated matches lately, but not often enough to pause."""
        since = self._clock.now() - LEAVING_COUNTS_FOR
        left = await self._database.read(stored_accounts.strikes_since, LEFT, str(account_id), since)
        return len(left) > 0 and _pause(left, self._clock.now()) is None

    async def paused_until(self, account_id: int) -> datetime | None:
        """Return the end of somebody's pause from rated matches, or None."""
        return (await self.pauses((account_id,))).get(account_id)

    async def pauses(self, account_ids: Iterable[int]) -> dict[int, datetime]:
        """Return who among these pauses from rated matches, and until when."""
        now = self._clock.now()
        whos = [str(account_id) for account_id in account_ids]
        left = await self._database.read(stored_accounts.strikes_of, LEFT, whos, now - LEAVING_COUNTS_FOR)
        found = ((int(who), _pause(moments, now)) for who, moments in left.items())
        return {account_id: until for account_id, until in found if until is not None}


def _pause(left: Sequence[datetime], now: datetime) -> datetime | None:
    if not left:
        return None
    until = left[-1] + timedelta(minutes=PAUSES[min(len(left), len(PAUSES)) - 1])
    return until if until > now else None
