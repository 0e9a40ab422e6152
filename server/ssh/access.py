"""After the login: who somebody is, and whether they are admitted."""

from __future__ import annotations

from contextlib import suppress

from game.cli.exits import Exit
from server.accounts.guestnames import guest_name
from server.accounts.identity import Identity
from server.accounts.keys import is_settled
from server.admission.login_policy import LoginPolicy
from server.i18n.catalogues import FALLBACK, catalogue
from server.i18n.refusals import barred
from server.services import Services
from server.session.session import Routes
from server.session.sharing import Groups
from server.ssh.auth import Login
from server.ssh.call import Call
from server.ssh.commands.all import landing_of
from server.ssh.commands.all import serve as serve_call
from server.store.errors import StoreUnavailable

RESTARTS = "ended.restarts"  # the text that says so


class Access:
    """Looks up identities and serves calls for the listener. One per process."""

    def __init__(self, services: Services, routes: Routes, groups: Groups) -> None:
        """`routes` and `groups`: those of all sessions of screens."""
        self._services, self._routes, self._groups = services, routes, groups
        self.login_policy = LoginPolicy(services.settings)

    async def recognise(self, login: Login) -> Identity:
        """Return the identity of a finished authentication. Raises StoreUnavailable."""
        key = login.proven
        account = await self._services.accounts.by_fingerprint(key.fingerprint) if key is not None else None
        if key is not None and account is not None:
            account = await self._services.accounts.come_in(account, key.fingerprint)
            with suppress(StoreUnavailable):  # only the day of the last use: no reason to refuse a login
                await self._services.accounts.keys.record_use(key.fingerprint)
        return Identity(
            account_id=account.id if account is not None else None,
            name=account.handle if account is not None else guest_name(),
            roles=account.roles if account is not None else frozenset(),
            fingerprint=key.fingerprint if key is not None else None,
            public_key=key.public_key if key is not None else None,
            wanted_handle=login.wanted_handle,
            source=login.source,
            is_invisible=account is not None and account.is_invisible,
            is_settled=account is not None and is_settled(account, self._services.clock.now()),
        )

    async def keeps_place(self, who: Identity) -> bool:
        """Tell whether somebody must get in though their network is full: a match of theirs runs.

        Raises StoreUnavailable.
        """
        return not who.is_guest and bool(await self._services.matches.running_ids(who.player))

    def refuses(self, address: str) -> str | None:
        """Return why an address may not connect, or None; in English: nobody's language is known before the login."""
        refusal = self._services.conduct.check_source(address)
        plain = str.maketrans("’", "'")  # nor is it known what characters their terminal shows
        return None if refusal is None else barred(refusal, "barred.entry", catalogue(FALLBACK)).translate(plain)

    async def serve(self, call: Call) -> int:
        """Serve a call, unless its caller is banned or the server is about to stop."""
        refusal = self._services.conduct.check_access(call.identity)
        if refusal is not None:
            call.err(f"patchbay: {barred(refusal, 'barred.entry', catalogue(call.language))}")
            return Exit.NOT_ALLOWED
        why = self.login_policy.refuses(call.identity, call.command, landing_of(call) is not None)
        if why is not None:
            line = call.reached_at.line_with_key() if call.identity.fingerprint is None else call.reached_at.line()
            call.err(f"patchbay: {catalogue(call.language).t(why, line=line)}")
            return Exit.NOT_ALLOWED
        if self._services.matches.is_draining and not self._is_admins(call):
            call.err(f"patchbay: {catalogue(call.language).t(RESTARTS)}")
            return Exit.DRAINING
        return await serve_call(call, self._services, self._routes, self._groups)

    @staticmethod
    def _is_admins(call: Call) -> bool:
        """Tell whether this is an admin command, which a draining server still takes (`admin undrain`)."""
        return bool(call.identity.roles) and (call.command or "").split(" ")[0] == "admin"
