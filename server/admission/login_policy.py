"""Who may log in at all, as the settings say: a list of keys, and whether guests may."""

from __future__ import annotations

from pathlib import Path

import asyncssh

from server.accounts.identity import Identity
from server.config import Settings
from server.textfile import WatchedFile

# What a key without an account may run where guests are not let in: to find out, and to get an account.
BEFORE_AN_ACCOUNT = frozenset(("help", "version", "whoami", "register", "keys"))
NOT_LISTED = "This server lets only certain keys in, and this one is not among them."  # the language is not known yet


def read_keys(text: str) -> asyncssh.SSHAuthorizedKeys | None:
    """Read a file in authorized_keys format; None: it lists no key. Raises ValueError for a line that can't be read."""
    lines = {n: line for n, line in enumerate(map(str.strip, text.splitlines()), 1) if line and line[0] != "#"}
    for number, line in lines.items():
        try:
            asyncssh.import_authorized_keys(line)
        except ValueError:
            raise ValueError(f"line {number} is no key in authorized_keys format") from None
    return asyncssh.import_authorized_keys("\n".join(lines.values())) if lines else None


class LoginPolicy:
    """Tells who may log in. Raises OSError, ValueError when the list of keys can't be read."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        path: Path | None = settings.allowed_keys
        self._listed = None if path is None else WatchedFile(path, read_keys)
        self._seen = None if self._listed is None else self._listed.value

    def admits_key(self, key: asyncssh.SSHKey, address: str) -> bool:
        """Tell whether a key may log in from an address: the list's `from` counts, its other options do not."""
        if self._listed is None or key.get_fingerprint() in self._settings.admin_fingerprints:
            return True
        listed = self._listed.value
        return listed is not None and listed.validate(key, address, address) is not None

    def has_changed(self) -> bool:
        """Tell whether the list was read again since this was asked last."""
        if self._listed is None:
            return False
        before, self._seen = self._seen, self._listed.value
        return self._seen is not before

    def admits_line(self, public_key: str | None, address: str) -> bool:
        """Tell whether somebody with this key (an OpenSSH line) could log in now from an address; None: a guest."""
        if self._listed is None or public_key is None:
            return True  # what a guest may do is asked at each call
        return self.admits_key(asyncssh.import_public_key(public_key), address)

    @property
    def lets_strangers_in(self) -> bool:
        """Tell whether somebody without an account may come in."""
        return self._listed is None and self._settings.guests == "on"

    def refuses_browser(self, who: Identity) -> str | None:
        """Return the message key of why somebody may not come in by a browser, or None."""
        if not self.admits_line(who.public_key, who.source):
            return "door.listed-only"
        return self.refuses(who, None, is_screens=True)

    def refuses(self, who: Identity, command: str | None, is_screens: bool) -> str | None:
        """Return the message key of why somebody may not do this, or None."""
        if not who.is_guest:
            return None
        if who.fingerprint is None:
            if self._listed is not None:
                return "door.listed-only"
            return "door.no-guests" if self._settings.guests == "off" else None
        may_register = is_screens or (command or "help").split(" ")[0] in BEFORE_AN_ACCOUNT
        return "door.register-first" if self._settings.guests == "off" and not may_register else None
