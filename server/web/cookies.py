"""The cookie of a browser: who is signed in there, or which guest plays there. Any worker can read it."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response

from server.accounts.guestnames import guest_name
from server.accounts.identity import Identity
from server.services import Services
from server.store.server_secrets import secret_for
from server.web.visitor import LANGUAGE

SECRET: Final = "browser guests"  # noqa: S105 (its name)
ACCOUNT, GUEST = "a", "g"
GUEST_FOR_S = 86_400
FORM_FOR_S = 600
LANGUAGE_FOR_S = 365 * 86_400


class Cookies:
    """Reads and writes the cookies. Over https their names begin with `__Host-`, so no other host can set them."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.is_secure = services.settings.web_origin.startswith("https://")
        prefix = "__Host-" if self.is_secure else ""
        self.session, self.form = f"{prefix}patchbay", f"{prefix}patchbay-form"
        self._secret: bytes | None = None

    async def identity(self, asked: HTTPConnection, source: str) -> Identity:
        """Return who a browser is: an account, the guest that it was before, or a guest who has no cookie yet.

        Raises StoreUnavailable.
        """
        kind, _, rest = asked.cookies.get(self.session, "").partition(".")
        if kind == ACCOUNT:
            found = await self._services.accounts.browsers.identity(rest, source)
            if found is not None:
                return found
        name = await self._guest_of(rest) if kind == GUEST else None
        return guest(name or guest_name(), source)

    async def is_known(self, asked: HTTPConnection, who: Identity) -> bool:
        """Tell whether a browser has the cookie of who it is."""
        kind, _, rest = asked.cookies.get(self.session, "").partition(".")
        return not who.is_guest or (kind == GUEST and await self._guest_of(rest) == who.name)

    def cookie_of(self, asked: HTTPConnection) -> str:
        """Return what signs the browser in; empty: nothing does."""
        kind, _, rest = asked.cookies.get(self.session, "").partition(".")
        return rest if kind == ACCOUNT else ""

    async def set_guest(self, answer: Response, who: Identity) -> None:
        """Let a browser be this guest from now on."""
        until = int(self._services.clock.now().timestamp()) + GUEST_FOR_S
        said = f"{who.name}.{until}"
        self._set(answer, self.session, f"{GUEST}.{said}.{await self._mac(said)}", GUEST_FOR_S)

    def set_account(self, answer: Response, cookie: str, lasts_s: int) -> None:
        """Let a browser be signed in from now on; it is no guest any more."""
        self._set(answer, self.session, f"{ACCOUNT}.{cookie}", lasts_s)

    def set_language(self, answer: Response, language: str) -> None:
        """Let a browser get pages in this language from now on."""
        self._set(answer, LANGUAGE, language, LANGUAGE_FOR_S)

    def bind(self, answer: Response, token: str) -> None:
        """Bind a form to the browser that gets it: the form sends this token back, and the browser has it, too."""
        self._set(answer, self.form, token, FORM_FOR_S)

    def is_bound(self, asked: HTTPConnection, token: str) -> bool:
        """Tell whether a form comes back from the browser that got it."""
        held = asked.cookies.get(self.form, "")
        return bool(held) and hmac.compare_digest(held.encode(), token.encode())

    def drop(self, answer: Response, name: str) -> None:
        """Take a cookie away."""
        answer.delete_cookie(name, path="/", secure=self.is_secure, httponly=True, samesite="lax")

    def _set(self, answer: Response, name: str, value: str, lasts_s: int) -> None:
        answer.set_cookie(name, value, max_age=lasts_s, path="/", secure=self.is_secure, httponly=True, samesite="lax")

    async def _guest_of(self, rest: str) -> str | None:
        """Return the guest whom the server has signed, if it has, and not too long ago."""
        said, _, mac = rest.rpartition(".")
        if not hmac.compare_digest((await self._mac(said)).encode(), mac.encode()):
            return None
        name, _, until = said.partition(".")
        return name if int(until) > self._services.clock.now().timestamp() else None

    async def _mac(self, said: str) -> str:
        if self._secret is None:
            services = self._services
            self._secret = await services.database.write(secret_for, SECRET, services.clock.now())
        return hmac.new(self._secret, said.encode(), hashlib.sha256).hexdigest()


def new_token() -> str:
    """Return what binds a form to a browser."""
    return secrets.token_urlsafe(24)


def guest(name: str, source: str) -> Identity:
    """Return a guest in a browser."""
    return Identity(None, name, frozenset(), None, None, "", source, browser=name)
