"""Fakes with the services' shapes, for people: chat, accounts, conduct, moderation, decks."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from server.accounts.decks import StoredDeck
from server.accounts.errors import AccountError
from server.accounts.identity import Hidden, Identity, Player, is_hidden
from server.accounts.moderation import Dossier, Held, Report
from server.accounts.preferences import Preferences
from server.matches.model import ChatLine
from tests.tui.fakeplay import Heard
from tests.tui.positions import NOON, person


class FakeChat(Heard):
    """Channels of lines."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, list[ChatLine]] = {}

    async def load(self, channel: str) -> list[ChatLine]:
        return self.recent(channel)

    def recent(self, channel: str, hidden: Hidden = frozenset()) -> list[ChatLine]:
        return [line for line in self.lines.get(channel, []) if not is_hidden(line.account_id, line.name, hidden)]

    async def say(self, channel: str, player: Player, text: str) -> None:
        self.lines.setdefault(channel, []).append(ChatLine(NOON, player.name, text))
        self.tell()


class FakeAccounts:
    """Accounts in a dictionary."""

    def __init__(self) -> None:
        self.handles: dict[str, Any] = {}
        self.kept: dict[int, Preferences] = {}

    async def register(self, handle: str, public_key: str, source: str) -> Any:
        if handle in self.handles:
            raise AccountError("handle.taken")
        account = SimpleNamespace(id=len(self.handles) + 1, handle=handle, roles=frozenset())
        self.handles[handle] = account
        return SimpleNamespace(account=account, recovery_codes=("aaaa-bbbb-cccc", "dddd-eeee-ffff"))

    async def preferences(self, account_id: int) -> Preferences:
        return self.kept.get(account_id, Preferences())

    async def save_preferences(self, account_id: int, preferences: Preferences) -> None:
        self.kept[account_id] = preferences

    async def by_handle(self, handle: str) -> Any:
        return self.handles.get(handle)

    async def link(self, code: str, public_key: str, source: str) -> Any:
        raise AccountError("code.unknown")

    async def rename(self, account_id: int, handle: str) -> Any:
        return SimpleNamespace(id=account_id, handle=handle, roles=frozenset())

    async def keys(self, account_id: int) -> list[Any]:
        return [SimpleNamespace(fingerprint="SHA256:AAAAB3NzaC1yc2EAAAADAQABAAABgQC7")]

    async def make_code(self, account_id: int) -> str:
        return "k4tz-9mqe"


class FakeConduct:
    """Who blocked whom, and what was reported."""

    def __init__(self) -> None:
        self.blocks: set[tuple[int, str]] = set()
        self.reports: list[tuple[int, str, str]] = []
        self.warned: set[int] = set()
        self.attached: list[tuple[str | None, list[str]]] = []

    async def blocked_people(self, account_id: int) -> dict[int, str]:
        return {person(name).account_id or 0: name for who, name in self.blocks if who == account_id}

    async def is_warned(self, account_id: int) -> bool:
        return account_id in self.warned

    async def block(self, account_id: int, handle: str) -> int:
        self.blocks.add((account_id, handle))
        return 0

    async def unblock(self, account_id: int, handle: str) -> bool:
        was = (account_id, handle) in self.blocks
        self.blocks.discard((account_id, handle))
        return was

    async def report(self, by: int, handle: str, text: str, lines: Any = (), match_id: str | None = None) -> int:
        self.reports.append((by, handle, text))
        self.attached.append((match_id, [line["text"] for line in lines]))
        return 1


class FakeModeration:
    """What waits for moderators, and what they did: (act, whom, why, for how long)."""

    def __init__(self) -> None:
        self.actor = ""
        self.moderators = {"omid"}
        self.waiting: list[Report] = []
        self.done: list[tuple[Any, ...]] = []
        self.known: dict[str, Dossier] = {}
        self.held: list[Held] = []

    def __call__(self, who: Identity) -> FakeModeration:
        self.actor = who.name
        return self

    async def is_allowed(self) -> bool:
        return self.actor in self.moderators

    async def reports(self) -> list[Report]:
        return list(self.waiting)

    async def count_reports(self) -> int:
        return len(self.waiting)

    async def in_force(self) -> list[Held]:
        return list(self.held)

    async def lift_held(self, held: Held) -> bool:
        self.done.append(("lift", held.sanction.act, held.shown))
        self.held = [one for one in self.held if one is not held]
        return True

    async def dossier(self, handle: str, source: str | None = None) -> Dossier:
        return self.known.get(handle, Dossier((), (), ()))

    async def mute(self, handle: str, why: str, lasts: timedelta | None) -> None:
        self.done.append(("mute", handle, why, lasts))

    async def ban(self, target: str, why: str, lasts: timedelta | None) -> None:
        self.done.append(("ban", target, why, lasts))

    async def remark(self, handle: str, text: str) -> None:
        self.done.append(("note", handle, text))

    async def handle_report(self, report_id: int) -> bool:
        before, self.waiting = self.waiting, [one for one in self.waiting if one.id != report_id]
        return len(before) > len(self.waiting)


class FakeDecks:
    """Decks in a dictionary."""

    def __init__(self) -> None:
        self.kept: dict[int, list[StoredDeck]] = {}

    async def of(self, account_id: int) -> list[StoredDeck]:
        return list(self.kept.get(account_id, []))

    async def save(self, account_id: int, deck: StoredDeck) -> StoredDeck:
        mine = self.kept.setdefault(account_id, [])
        kept = replace(deck, id=deck.id or len(mine) + 1)
        mine[:] = [*(one for one in mine if one.id != kept.id), kept]
        return kept

    async def remove(self, account_id: int, deck_id: int) -> bool:
        mine = self.kept.setdefault(account_id, [])
        mine[:] = [one for one in mine if one.id != deck_id]
        return True
