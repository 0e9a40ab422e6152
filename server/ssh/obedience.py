"""What the orders of admins and moderators do to those who are in this process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from server.accounts.identity import MODERATOR, Identity
from server.bus.orders import Orders
from server.errors import Refused
from server.matches import banished
from server.matches.banished import Reach
from server.services import Services
from server.ssh.call import Call, Exit
from server.ssh.reception import GOODBYE
from server.ssh.server import Listener
from server.ssh.session import ClientSession
from server.store.processes import Order


class Obedience:
    """Does what is ordered of this process."""

    def __init__(self, services: Services, listener: Listener) -> None:
        self._services = services
        self._listener = listener

    def follow(self, orders: Orders) -> None:
        """Obey every kind of order."""
        for kind, obey in (
            ("forget", self._forget),
            ("ban", self._look_at_bans),
            ("mute", self._look_at_bans),
            ("roles", self._look_at_roles),
            ("report", self._tell_moderators),
            ("block", self._look_at_blocks),
            ("drain", self._drain),
            ("undrain", self._undrain),
            ("announce", self._announce),
        ):
            orders.on(kind, obey)

    def _here(self) -> Iterator[tuple[ClientSession, Call]]:
        for session in list(self._listener.house.sessions):
            if session.call is not None:
                yield session, session.call

    def _of_account(self, account_id: object) -> Iterator[tuple[ClientSession, Call]]:
        return (one for one in self._here() if account_id is not None and one[1].identity.account_id == account_id)

    async def _forget(self, order: Order) -> None:
        gone = order.data.get("account")
        self._services.chat.forget(gone)
        if isinstance(gone, int):
            self._services.matches.rename(gone, str(order.data.get("name")))
        for session, _ in self._of_account(gone):
            session.send_home("this account is deleted", Exit.NOT_ALLOWED)

    async def _look_at_bans(self, order: Order) -> None:
        conduct = self._services.conduct
        await conduct.refresh()
        sent = [(session, call, why) for session, call in self._here() if (why := conduct.check_access(call.identity))]
        if order.data.get("kind") == "network" and sent:
            await self._settle([call.identity for _, call, _ in sent])
        for session, _, refusal in sent:
            session.send_home(refusal.sentence("you have to leave"), Exit.NOT_ALLOWED)
        if order.data.get("kind") == "network":
            self._listener.turn_out()

    async def _settle(self, sent: Sequence[Identity]) -> None:
        """Let nobody lose or be counted as leaving whom a ban of a network reaches, and nobody meant."""
        with suppress(Refused):  # the ban holds all the same
            await banished.settle(self._services.matches, self._reach)
            ids = {one.account_id for one in sent if self._reach(one) is Reach.NETWORK}
            await self._services.conduct.note_cut_off([one for one in ids if one is not None])

    def _reach(self, identity: Identity) -> Reach | None:
        if self._services.conduct.check_person(identity) is not None:
            return Reach.PERSON
        return None if self._services.conduct.check_source(identity.source) is None else Reach.NETWORK

    async def _look_at_roles(self, order: Order) -> None:
        account_id = order.data.get("account")
        account = await self._services.accounts.by_id(account_id) if isinstance(account_id, int) else None
        if account is None:
            return
        for _, call in self._of_account(account.id):
            call.identity = replace(call.identity, roles=account.roles)
            if call.on_roles is not None:
                call.on_roles(account.roles)

    async def _look_at_blocks(self, order: Order) -> None:
        by = order.data.get("account")
        for _, call in self._of_account(by):
            if call.on_blocks is not None:
                call.on_blocks()
        if isinstance(by, int):
            await self._services.lobby.part(by)

    async def _tell_moderators(self, _: Order) -> None:
        for _session, call in self._here():
            if call.on_report is not None and call.identity.may(MODERATOR):
                call.on_report()

    async def _drain(self, _: Order) -> None:
        await self._services.matches.drain()
        self._listener.send_everybody_home(GOODBYE)

    async def _undrain(self, _: Order) -> None:
        await self._services.matches.undrain()

    async def _announce(self, order: Order) -> None:
        for _, call in self._here():
            if call.on_announcement is not None:
                call.on_announcement(str(order.data.get("text", "")))
