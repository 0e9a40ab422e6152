"""Authentication state: which key a connection has proved.

The library asks about a key when it is only *offered*, unsigned, so accepting it proves nothing. `LoginState.proven` is
set when a signature by that key over this session was verified, and every authentication request of any method
clears it first. `auth_completed` reads it once.
"""

from __future__ import annotations

from dataclasses import dataclass

import asyncssh

from server.admission.login_policy import LoginPolicy
from server.sanitize import clean_token
from server.ssh.algorithms import is_acceptable


@dataclass(frozen=True, slots=True)
class ProvenKey:
    """A public key whose owner signed this session."""

    fingerprint: str  # SHA256:…
    public_key: str  # the OpenSSH line, without its comment


@dataclass(frozen=True, slots=True)
class Login:
    """The result of an authentication. `proven` None: a guest without a key."""

    proven: ProvenKey | None
    wanted_handle: str
    source: str

    def is_admitted(self, login_policy: LoginPolicy) -> bool:
        """Tell whether somebody who has logged in could still do so."""
        return login_policy.admits_line(None if self.proven is None else self.proven.public_key, self.source)


class LoginState:
    """The authentication of one connection in progress."""

    __slots__ = ("_offered", "attempts", "proven")

    def __init__(self) -> None:
        self.attempts = 0
        self.proven: ProvenKey | None = None
        self._offered: asyncssh.SSHKey | None = None

    def begin_request(self) -> None:
        """Clear what earlier requests proved: a new request has arrived."""
        self.attempts += 1
        self.proven = None
        self._offered = None

    def offer(self, key: asyncssh.SSHKey) -> bool:
        """Note which key this request offers; tell whether keys of its kind are accepted."""
        self._offered = key if is_acceptable(key) else None
        return self._offered is not None

    def verified(self) -> None:
        """Note that this request's signature by the offered key is valid."""
        if self._offered is not None:
            line = self._offered.export_public_key("openssh").decode()
            self.proven = ProvenKey(self._offered.get_fingerprint("sha256"), " ".join(line.split()[:2]))


def wanted_handle_of(username: str | None) -> str:
    """Return the user name of a login, sanitised."""
    return clean_token(username or "", 32)
