"""Behind the door: who somebody is, and whether they may be here."""

from __future__ import annotations

from server.accounts.identity import Identity
from server.services import Services
from server.ssh.auth import Login, guest_name
from server.ssh.call import Call, Exit
from server.ssh.commands.all import serve as serve_call

NO_ENTRY = "you can't come in"
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
        return None if refusal is None else refusal.sentence(NO_ENTRY)

    async def serve(self, call: Call) -> int:
        """Serve a call, unless its caller is banned or the server is about to stop."""
        refusal = self._services.conduct.check_access(call.identity)
        if refusal is not None:
            call.err(f"patchbay: {refusal.sentence(NO_ENTRY)}")
            return Exit.NOT_ALLOWED
        if self._services.matches.house.is_draining and not self._is_admins(call):
            call.err(f"patchbay: {GOODBYE}")
            return Exit.DRAINING
        return await serve_call(call, self._services)

    @staticmethod
    def _is_admins(call: Call) -> bool:
        """Tell whether somebody comes to look after a server that drains (`admin undrain`)."""
        return bool(call.identity.roles) and (call.command or "").split(" ")[0] == "admin"
