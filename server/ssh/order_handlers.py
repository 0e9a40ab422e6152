"""Carrying out the orders of admins and moderators in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from ipaddress import ip_network

from game.cli.exits import Exit
from server.accounts import following, machines, messages
from server.accounts.identity import MODERATOR, Identity, Player, bound_addresses
from server.accounts.targets import holds_address
from server.admission.audience import Ends, Served, ServedSession, text
from server.bus.orders import Orders
from server.hostkeys import inforce
from server.hostkeys.files import HostKeyError
from server.i18n.refusals import barred
from server.log import get_logger
from server.matches import bans
from server.matches.bans import Reach
from server.services import Services
from server.ssh.access import RESTARTS
from server.ssh.listener import Listener, use_host_keys
from server.store import processes
from server.store.processes import Order
from server.tasks import wait_at_most

log = get_logger("orders")
END_S = 1.0  # how long ending the matches of banned people may delay their disconnection


class OrderHandlers:
    """Carries out every kind of order."""

    def __init__(
        self,
        services: Services,
        listener: Listener,
        stop: Callable[[], None] | None = None,
        others: Collection[ServedSession] = (),
    ) -> None:
        """`stop`: ends this process, which its parent starts again; None: it has no parent.

        `others`: the sessions that came by another door, as they are at each moment.
        """
        self._others = others
        self._services = services
        self._listener = listener
        self._stop = stop

    def follow(self, orders: Orders) -> None:
        """Subscribe to every kind of order."""
        for kind, obey in (
            ("forget", self._forget),
            ("rename", self._rename),
            ("keys", self._change_keys),
            ("logout", self._log_out),
            ("ban", self._enforce_bans),
            ("mute", self._refresh_mutes),
            ("roles", self._refresh_roles),
            ("report", self._notify_moderators),
            ("block", self._refresh_blocks),
            (following.ORDER, self._refresh_following),
            (messages.ORDER, self._hand_over),
            (following.VISIBILITY, self._show_or_hide),
            (machines.ORDER, self._refresh_machines),
            ("language", self._change_language),
            ("drain", self._drain),
            ("undrain", self._undrain),
            ("announce", self._announce),
            (processes.RESTART, self._restart),
            (inforce.ORDER, self._read_host_keys),
        ):
            orders.on(kind, obey)

    def _here(self) -> Iterator[tuple[Ends, Served]]:
        for session in list(self._listener.context.sessions):
            if session.call is not None:
                yield session, session.call
        for other in list(self._others):
            yield other, other

    def _of_account(self, account_id: object) -> Iterator[tuple[Ends, Served]]:
        return (one for one in self._here() if account_id is not None and one[1].identity.account_id == account_id)

    async def _change_keys(self, order: Order) -> None:
        """End every session that logged in with a removed key; have the account's others read its keys again."""
        self._listener.people_changed()
        removed = order.data.get("keys")
        for session, call in self._of_account(order.data.get("account")):
            if isinstance(removed, list) and call.identity.fingerprint in removed:
                session.end_session(text("ended.key-removed"), Exit.NOT_ALLOWED)
            else:
                call.audience.keys_changed()
        await self._services.conduct.refresh()  # what is in force stays with the key

    async def _log_out(self, order: Order) -> None:
        key, but, browser = (order.data.get(name) for name in ("key", "but", "browser"))
        for session, call in self._of_account(order.data.get("account")):
            is_meant = key in (None, call.identity.fingerprint) and browser in (None, call.identity.browser)
            if is_meant and call.session != but:
                session.end_session(text("ended.logged-out"), Exit.REFUSED)

    async def _forget(self, order: Order) -> None:
        self._listener.people_changed()
        gone = order.data.get("account")
        self._services.chat.forget(gone)
        if isinstance(gone, int):
            if gone in self._services.machines.known:
                await self._services.machines.refresh()
            self._services.matches.rename(gone, str(order.data.get("name")))
            await self._services.lobby.rename(gone, str(order.data.get("name")))
        for session, _ in self._of_account(gone):
            session.end_session(text("ended.deleted"), Exit.NOT_ALLOWED)
        await self._services.conduct.refresh()  # what is in force stays with its keys
        if isinstance(gone, int):  # an admin deletes beside the server; or a match began while it was deleted
            player = Player("account", str(order.data.get("name")), account_id=gone)
            self._services.matches.context.tasks.spawn(self._services.matches.resign_all(player), "resign")

    async def _rename(self, order: Order) -> None:
        """Go on under somebody's new handle, wherever the one before is in use in this process."""
        self._listener.people_changed()
        account_id = order.data.get("account")
        account = await self._services.accounts.by_id(account_id) if isinstance(account_id, int) else None
        if account is None:
            return
        await self._services.following.refresh()
        if account.id in self._services.machines.known:
            await self._services.machines.refresh()
        blockers = await self._services.conduct.blockers_of(account.id)  # their lists hide people by name
        followers = await self._services.following.followers_of(account.id)
        for _, call in self._here():
            if call.identity.account_id in blockers:
                call.audience.blocks_changed()
            if call.identity.account_id in followers:
                call.audience.following_changed()
        for _, call in self._of_account(account.id):
            if call.identity.name != account.handle:
                call.become(replace(call.identity, name=account.handle))
                call.audience.renamed(account.handle)
        self._services.chat.rename(account.id, account.handle)
        self._services.matches.rename(account.id, account.handle)
        await self._services.lobby.rename(account.id, account.handle)

    async def _enforce_bans(self, order: Order) -> None:
        conduct = self._services.conduct
        await conduct.refresh()
        sent = [(session, call, why) for session, call in self._here() if (why := conduct.check_access(call.identity))]
        if order.data.get("kind") == "network" and sent:
            have_ended = asyncio.Event()
            self._services.matches.context.tasks.spawn(
                self._end_matches([call.identity for _, call, _ in sent], have_ended), "ban"
            )
            await wait_at_most(have_ended, END_S)  # the ban takes effect in time even if the store is slow
        for session, _, refusal in sent:
            session.end_session(partial(barred, refusal, "barred.leave"), Exit.NOT_ALLOWED)
        if order.data.get("kind") == "network":
            self._listener.disconnect_banned()

    async def _refresh_mutes(self, order: Order) -> None:
        """Tell the people concerned that they are muted, or no longer."""
        await self._services.conduct.refresh()
        for _, call in self._here():
            if _is_target(call.identity, order):
                call.audience.muted(self._services.chat.muted(call.identity.player))

    async def _end_matches(self, sent: Sequence[Identity], have_ended: asyncio.Event) -> None:
        """End the matches of people whom only a network's ban reaches: they neither lose nor count as leavers."""
        try:
            await bans.end_matches(self._services.matches, self._reach)
            ids = {one.account_id for one in sent if self._reach(one) is Reach.NETWORK}
            await self._services.conduct.record_cut_off([one for one in ids if one is not None])
        finally:
            have_ended.set()

    def _reach(self, identity: Identity) -> Reach | None:
        if self._services.conduct.check_person(identity) is not None:
            return Reach.PERSON
        return None if self._services.conduct.check_source(identity.source) is None else Reach.NETWORK

    async def _refresh_roles(self, order: Order) -> None:
        account_id = order.data.get("account")
        account = await self._services.accounts.by_id(account_id) if isinstance(account_id, int) else None
        if account is None:
            return
        for _, call in self._of_account(account.id):
            call.become(replace(call.identity, roles=account.roles))
            call.audience.roles_changed(account.roles)

    async def _refresh_blocks(self, order: Order) -> None:
        by = order.data.get("account")
        guest = order.data.get("guest")
        for _, call in self._of_account(by):
            if guest is not None:
                call.audience.guest_hidden(str(guest), order.data.get("hidden") is True)
            else:
                call.audience.blocks_changed()
        if isinstance(by, int):
            await self._services.lobby.rooms.separate(by)

    async def _refresh_following(self, order: Order) -> None:
        """Read again whom people wait for; let a person's terminals hear of what they follow, and who has come."""
        await self._services.following.refresh()
        for _, call in self._of_account(order.data.get("account")):
            if order.data.get("told"):
                call.audience.alerted(str(order.data.get("who")), str(order.data.get("told")))
            call.audience.following_changed()

    async def _hand_over(self, order: Order) -> None:
        """Tell a person's terminals and programs of a message."""
        for _, call in self._of_account(order.data.get("account")):
            call.audience.written_to(int(str(order.data.get("message"))))

    async def _show_or_hide(self, order: Order) -> None:
        """Show somebody's connections to nobody, or to all again."""
        account_id, is_invisible = order.data.get("account"), order.data.get("invisible") is True
        for _, call in self._of_account(account_id):
            call.become(replace(call.identity, is_invisible=is_invisible))
            call.audience.visibility_changed(is_invisible)
        if isinstance(account_id, int):
            self._services.matches.set_invisible(account_id, is_invisible)

    async def _refresh_machines(self, order: Order) -> None:
        """Mark somebody as a machine wherever their name stands in this process, or no longer."""
        await self._services.machines.refresh()
        if isinstance(account_id := order.data.get("account"), int):
            self._services.matches.mark(account_id)
            self._services.lobby.mark(account_id)

    async def _change_language(self, order: Order) -> None:
        for _, call in self._of_account(order.data.get("account")):
            call.audience.language_changed()

    async def _notify_moderators(self, order: Order) -> None:
        """Tell every connected moderator of a report, except the one it is about."""
        about, key = order.data.get("about"), order.data.get("key")
        for _session, call in self._here():
            who = call.identity
            is_subject = about == who.account_id if about is not None else key is not None and key == who.fingerprint
            if who.may(MODERATOR) and not is_subject:
                call.audience.reported()

    async def _drain(self, _: Order) -> None:
        await self._services.matches.drain()
        self._listener.end_sessions(text(RESTARTS))
        for other in list(self._others):
            other.end_session(text(RESTARTS), Exit.DRAINING)

    async def _undrain(self, _: Order) -> None:
        await self._services.matches.undrain()

    async def _read_host_keys(self, _: Order) -> None:
        """Use the host keys in force for new connections; what is open goes on."""
        services = self._services
        try:
            keys = await inforce.load(services.database, services.clock, services.settings.host_key)
        except HostKeyError as error:  # of several machines this one may not have the files yet
            log.error("hostkeys.kept", why=str(error))
            return
        use_host_keys(self._listener.options, keys)
        log.info("hostkeys.read", n=len(keys))

    async def _restart(self, order: Order) -> None:
        if self._stop is not None and order.data.get("process") == self._services.matches.connections.process_id:
            self._stop()

    async def _announce(self, order: Order) -> None:
        for _, call in self._here():
            call.audience.announced(str(order.data.get("text", "")))


def _is_target(who: Identity, order: Order) -> bool:
    """Tell whether a mute concerns somebody; a network's mute concerns its guests and new accounts."""
    target = str(order.data.get("target"))
    if order.data.get("kind") == "network":
        return any(holds_address(ip_network(target), address) for address in bound_addresses((who,)))
    return target == str(who.account_id)
