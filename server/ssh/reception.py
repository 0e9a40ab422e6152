"""Behind the door: who somebody is, whether they may be here, and what an admin's orders do to those who are."""

from __future__ import annotations

from dataclasses import replace

from server.accounts.conduct import Refusal
from server.accounts.identity import MODERATOR, Identity
from server.bus.orders import Orders
from server.services import Services
from server.ssh.auth import Login, guest_name
from server.ssh.call import Call, Exit
from server.ssh.commands.all import serve as serve_call
from server.ssh.server import Listener
from server.store.processes import Order

GOODBYE = "the server restarts; running matches are safe, come back in a moment"  # fits a line


class Reception:
    """What the listener asks about people. One per process."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def recognise(self, login: Login) -> Identity:
        """Turn a finished authentication into a person. Raises StoreUnavailable."""
        key = login.proven
        account = await self._services.accounts.by_fingerprint(key.fingerprint) if key is not None else None
        return Identity(
            account_id=account.id if account is not None else None,
            name=account.handle if account is not None else guest_name(),
            roles=account.roles if account is not None else frozenset(),
            fingerprint=key.fingerprint if key is not None else None,
            public_key=key.public_key if key is not None else None,
            wish=login.wish,
            source=login.source,
        )

    def refuses(self, address: str) -> str | None:
        """Return why nobody may connect from an address, None where they may."""
        refusal = self._services.conduct.check_source(address)
        return None if refusal is None else _sentence(refusal)

    async def serve(self, call: Call) -> int:
        """Serve a call, unless its caller is banned or the server is about to stop."""
        refusal = self._services.conduct.check_access(call.identity)
        if refusal is not None:
            call.err(f"patchbay: {_sentence(refusal)}")
            return Exit.NOT_ALLOWED
        if self._services.matches.house.is_draining and not self._is_admins(call):
            call.err(f"patchbay: {GOODBYE}")
            return Exit.DRAINING
        return await serve_call(call, self._services)

    @staticmethod
    def _is_admins(call: Call) -> bool:
        """Tell whether somebody comes to look after a server that drains (`admin undrain`)."""
        return bool(call.identity.roles) and (call.command or "").split(" ")[0] == "admin"

    def follow(self, orders: Orders, listener: Listener) -> None:
        """Do what admins order of this process."""
        services = self._services

        async def look_at_bans(_: Order) -> None:
            await services.conduct.refresh()
            for session in list(listener.house.sessions):
                call = session.call
                refusal = services.conduct.check_access(call.identity) if call is not None else None
                if refusal is not None:
                    session.send_home(f"you have to leave: {refusal.why}", Exit.NOT_ALLOWED)

        async def look_at_roles(order: Order) -> None:
            account = await services.accounts.by_handle(str(order.data.get("handle", "")))
            for session in list(listener.house.sessions) if account is not None else ():
                call = session.call
                if account is not None and call is not None and call.identity.account_id == account.id:
                    call.identity = replace(call.identity, roles=account.roles)
                    if call.on_roles is not None:
                        call.on_roles(account.roles)

        async def look_at_blocks(order: Order) -> None:
            for session in list(listener.house.sessions):
                call = session.call
                is_theirs = call is not None and call.identity.account_id == order.data.get("account")
                if call is not None and is_theirs and call.on_blocks is not None:
                    call.on_blocks()

        async def tell_moderators(_: Order) -> None:
            for session in list(listener.house.sessions):
                call = session.call
                if call is not None and call.on_report is not None and call.identity.may(MODERATOR):
                    call.on_report()

        async def drain(_: Order) -> None:
            await services.matches.drain()
            listener.send_everybody_home(GOODBYE)

        async def undrain(_: Order) -> None:
            services.matches.house.is_draining = False

        async def announce(order: Order) -> None:
            for session in list(listener.house.sessions):
                if session.call is not None and session.call.on_announcement is not None:
                    session.call.on_announcement(str(order.data.get("text", "")))

        async def forget(order: Order) -> None:
            gone = order.data.get("account")
            services.chat.forget(gone)
            for session in list(listener.house.sessions):
                if session.call is not None and gone is not None and session.call.identity.account_id == gone:
                    session.send_home("this account is deleted", Exit.NOT_ALLOWED)

        for kind, obey in (
            ("forget", forget),
            ("ban", look_at_bans),
            ("mute", look_at_bans),
            ("roles", look_at_roles),
            ("report", tell_moderators),
            ("block", look_at_blocks),
            ("drain", drain),
            ("undrain", undrain),
            ("announce", announce),
        ):
            orders.on(kind, obey)


def _sentence(refusal: Refusal) -> str:
    until = f" until {refusal.until:%Y-%m-%d %H:%M} UTC" if refusal.until else ""
    return f"you can't come in{until}: {refusal.why}"
