"""Who proved what: the part of authentication that must never be wrong.

The library asks about a key when it is merely *offered*, unsigned, so an answer there means nothing. What counts is
one place: `LoginState.proven` is set in the moment a signature by that key over this session was verified, and every
authentication request of any kind, also that very one, clears it first. `auth_completed` reads it once.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import asyncssh

from server.ssh.algorithms import is_acceptable
from server.words import clean_token

GUEST_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
GUEST_CHARS = 8  # of 31 letters: 850 thousand million names


@dataclass(frozen=True, slots=True)
class ProvenKey:
    """A public key whose owner signed this very session."""

    fingerprint: str  # SHA256:…
    public_key: str  # the OpenSSH line, without its comment


@dataclass(frozen=True, slots=True)
class Login:
    """What a finished authentication says. `proven` None: no key, a guest."""

    proven: ProvenKey | None
    wish: str
    source: str


class LoginState:
    """The authentication of one connection while it goes on."""

    __slots__ = ("_offered", "attempts", "proven")

    def __init__(self) -> None:
        self.attempts = 0
        self.proven: ProvenKey | None = None
        self._offered: asyncssh.SSHKey | None = None

    def begin_request(self) -> None:
        """Forget everything: a new request of whatever method has arrived."""
        self.attempts += 1
        self.proven = None
        self._offered = None

    def offer(self, key: asyncssh.SSHKey) -> bool:
        """Note which key this request is about; tell whether such a key may be used at all."""
        self._offered = key if is_acceptable(key) else None
        return self._offered is not None

    def verified(self) -> None:
        """Note that this request's signature by the key it is about is right."""
        if self._offered is not None:
            line = self._offered.export_public_key("openssh").decode()
            self.proven = ProvenKey(self._offered.get_fingerprint("sha256"), " ".join(line.split()[:2]))


def guest_name() -> str:
    """Draw a name for somebody without an account; it is their id too, so it must not come twice."""
    return "guest-" + "".join(secrets.choice(GUEST_LETTERS) for _ in range(GUEST_CHARS))


def wish_of(username: str | None) -> str:
    """Return the user name somebody asked for, as data."""
    return clean_token(username or "", 32)
