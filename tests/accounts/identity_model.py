"""Whose a key is, told by rules of its own: what the service says is held against it.

Nothing of the service is used here: people, what they know, and plain dictionaries.
"""

from __future__ import annotations

from dataclasses import dataclass, field

DAY_S = 86_400.0
MOST_KEYS, MOST_PROPOSALS = 20, 5
REFUSED = "refused"


@dataclass
class Held:
    """A key of an account: since when, whether a recovery code or an admin brought it, which key brought it."""

    since: float
    vouched: bool
    by: str | None


@dataclass
class Code:
    """What a code opens: an account; for which key alone; until when; which key made it."""

    account: int
    kind: str
    only: str | None = None
    until: float = float("inf")
    by: str | None = None


@dataclass
class Model:
    """The accounts as they should be."""

    now: float = 0.0
    accounts: dict[int, dict[str, Held]] = field(default_factory=dict)
    codes: dict[str, Code] = field(default_factory=dict)

    def owner(self, key: str) -> int | None:
        """Return the account that a key opens."""
        return next((one for one, keys in self.accounts.items() if key in keys), None)

    def may_register(self, key: str) -> bool:
        return self.owner(key) is None

    def register(self, key: str, account: int, codes: tuple[str, ...]) -> None:
        self.accounts[account] = {key: Held(self.now, False, None)}
        self.codes.update({code: Code(account, "recovery") for code in codes})

    def acts(self, key: str, account: int) -> bool:
        return key in self.accounts.get(account, {})

    def make_code(self, key: str, account: int, code: str) -> None:
        self.codes = {text: one for text, one in self.codes.items() if (one.account, one.kind) != (account, "link")}
        self.codes[code] = Code(account, "link", None, self.now + 600, key)

    def open_proposals(self, account: int) -> dict[str, str]:
        """Return the open proposals of an account: key -> code."""
        return {
            one.only: text
            for text, one in self.codes.items()
            if one.kind == "proposal" and one.account == account and one.until > self.now and one.only is not None
        }

    def may_propose(self, account: int, target: str) -> bool:
        others = set(self.open_proposals(account)) - {target}
        return len(others) < MOST_PROPOSALS and len(self.accounts[account]) < MOST_KEYS

    def propose(self, key: str, account: int, target: str, code: str) -> None:
        self.codes = {
            text: one
            for text, one in self.codes.items()
            if (one.account, one.kind, one.only) != (account, "proposal", target)
        }
        self.codes[code] = Code(account, "proposal", target, self.now + DAY_S, key)

    def link(self, key: str, code: str) -> int | None:
        """Return the account that a key has come to by a code; None: refused."""
        found = self.codes.get(code)
        if self.owner(key) is not None or found is None or found.until <= self.now:
            return None
        if found.only not in (None, key) or len(self.accounts[found.account]) >= MOST_KEYS:
            return None
        del self.codes[code]
        by = None if found.kind == "recovery" else found.by
        self.accounts[found.account][key] = Held(self.now, found.kind == "recovery", by)
        return found.account

    def join(self, key: str, account: int) -> int | None:
        """Return the account that a proposed key has joined; None: refused."""
        code = self.open_proposals(account).get(key)
        return None if code is None else self.link(key, code)

    def has_full_say(self, key: str, account: int) -> bool:
        """Tell whether a key acts for the account, and is not young beside older ones."""
        return self.acts(key, account) and not self.is_young(key, account, set(self.accounts[account]))

    def is_young(self, key: str, account: int, others: set[str]) -> bool:
        keys = self.accounts[account]
        me = keys[key]
        return not me.vouched and self.now - me.since < DAY_S and any(keys[one].since < me.since for one in others)

    def line(self, account: int, root: str, spared: str) -> set[str]:
        """Return what a key has brought, and that in turn."""
        keys, found = self.accounts[account], {root}
        for _ in keys:
            for name, held in keys.items():
                brought = held.by in found and held.by in keys and held.since >= keys[held.by].since
                if brought and name != spared:
                    found.add(name)
        return found

    def remove(self, key: str, account: int, target: str, with_linked: bool, recovery: str) -> set[str] | None:
        """Return the keys that were removed; None: refused. A proposal that was withdrawn is a removal of itself."""
        keys = self.accounts[account]
        if target not in keys:
            if not self.has_full_say(key, account):
                return None
            stored = [
                t for t, one in self.codes.items() if (one.account, one.kind, one.only) == (account, "proposal", target)
            ]
            for text in stored:
                del self.codes[text]
            return {target} if stored else None
        gone = self.line(account, target, key) if with_linked else {target}
        if gone == set(keys):
            return None
        if self.is_young(key, account, gone):
            found = self.codes.get(recovery)
            if found is None or found.until <= self.now or (found.kind, found.account) != ("recovery", account):
                if found is not None and found.kind != "proposal":
                    del self.codes[recovery]  # tried at the wrong place, and used up
                return None
            del self.codes[recovery]
        for one in sorted(gone):
            before = keys.pop(one)
            for held in keys.values():
                held.by = before.by if held.by == one else held.by
        self.codes = {text: one for text, one in self.codes.items() if one.by not in gone}
        return gone

    def renew(self, key: str, account: int, codes: tuple[str, ...]) -> None:
        self.codes = {t: one for t, one in self.codes.items() if (one.account, one.kind) != (account, "recovery")}
        self.codes.update({code: Code(account, "recovery", by=key) for code in codes})

    def delete(self, account: int) -> None:
        del self.accounts[account]
        self.codes = {text: one for text, one in self.codes.items() if one.account != account}
