"""Fakes with the services' shapes, for people: chat, accounts, conduct, moderation, decks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from server.accounts.accounts import Account, Registration, StoredSession
from server.accounts.decks import StoredDeck
from server.accounts.errors import AccountError
from server.accounts.following import Followed
from server.accounts.identity import Hidden, Player, is_hidden
from server.accounts.keys import Invitation, Proposal, Removal, StoredKey
from server.accounts.messages import StoredMessage
from server.accounts.moderation import Dossier, InForce, Report
from server.accounts.preferences import Preferences
from server.ratings.ratings import Ranked, RatingChange
from server.ratings.scale import Rating
from server.store.chat import StoredLine
from server.store.columns import Json
from tests.boards.positions import NOON, person
from tests.session.fakeplay import Ending, Heard


class FakeChat(Heard):
    """Channels of lines."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, list[StoredLine]] = {}

    def add(self, channel: str, name: str, text: str, account_id: int | None = None, at: datetime = NOON) -> None:
        lines = self.lines.setdefault(channel, [])
        lines.append(StoredLine(len(lines) + 1, channel, at, account_id, name, text))

    async def load(self, channel: str) -> tuple[StoredLine, ...]:
        return self.recent(channel)

    def recent(self, channel: str, hidden: Hidden = frozenset()) -> tuple[StoredLine, ...]:
        lines = self.lines.get(channel, [])
        return tuple(line for line in lines if not is_hidden(line.account_id, line.name, hidden))

    def subscribe(self, channel: str, changed: Callable[[], None]) -> Ending:
        return self.listen(changed)

    async def say(self, channel: str, player: Player, text: str) -> None:
        self.add(channel, player.name, text)
        self.tell()


class FakeKeys:
    """Keys in a list."""

    def __init__(self) -> None:
        self.held = [StoredKey("SHA256:AAAAB3NzaC1yc2EAAAADAQABAAABgQC7", 1, "", NOON)]
        self.invited: list[Invitation] = []
        self.older: set[str] = set()  # keys that the acting one is too young to remove
        self.done: list[tuple[Any, ...]] = []

    async def of(self, account_id: int) -> list[StoredKey]:
        return list(self.held)

    async def proposals(self, account_id: int) -> list[Proposal]:
        return []

    async def invitations(self, fingerprint: str) -> list[Invitation]:
        return list(self.invited)

    async def join(self, account_id: int, public_key: str) -> Account:
        self.done.append(("join", account_id))
        return Account(account_id, "tarn", NOON)

    async def link(self, code: str, public_key: str, source: str = "") -> Account:
        raise AccountError("code.unknown")

    async def remove(
        self,
        account_id: int,
        fingerprint: str,
        by: str | None = None,
        *,
        with_linked: bool = False,
        recovery: str = "",
        source: str = "",
    ) -> Removal:
        if fingerprint in self.older and not recovery:
            raise AccountError("key.young", until="2026-01-02T03:04:05.000Z")
        self.done.append(("remove", fingerprint, with_linked, recovery))
        self.held = [key for key in self.held if key.fingerprint != fingerprint]
        return Removal((fingerprint,))

    async def label(self, account_id: int, fingerprint: str, label: str, by: str | None = None) -> None:
        self.done.append(("label", fingerprint, label))

    async def new_recovery_codes(self, account_id: int, by: str | None = None) -> tuple[str, ...]:
        self.check_age(by)
        return ("eeee-ffff-gggg",)

    async def make_code(self, account_id: int, by: str | None = None) -> str:
        self.check_age(by)
        return "k4tz-9mqe"

    def check_age(self, by: str | None) -> None:
        if self.older and by is not None:
            raise AccountError("key.young", until="2026-01-02T03:04:05.000Z")


class FakeAccounts:
    """Accounts in a dictionary."""

    def __init__(self) -> None:
        self.handles: dict[str, Account] = {}
        self.keys = FakeKeys()
        self.open_sessions: list[StoredSession] = []
        self.kept: dict[int, Preferences] = {}
        self.wants_invitation = False

    def add(self, handle: str, *roles: str, account_id: int | None = None) -> Account:
        made = Account(account_id or len(self.handles) + 1, handle, NOON, frozenset(roles))
        self.handles[handle] = made
        return made

    async def register(self, handle: str, public_key: str, source: str, invitation: str = "") -> Registration:
        if self.wants_invitation and invitation != "good":
            raise AccountError("code.unknown")
        if handle in self.handles:
            raise AccountError("handle.taken")
        return Registration(self.add(handle), ("aaaa-bbbb-cccc", "dddd-eeee-ffff"))

    async def preferences(self, account_id: int) -> Preferences:
        return self.kept.get(account_id, Preferences())

    async def change_preferences(self, account_id: int, change: Callable[[Preferences], Preferences]) -> Preferences:
        before = await self.preferences(account_id)
        self.kept[account_id] = change(before)
        return before

    async def by_handle(self, handle: str) -> Account | None:
        return self.handles.get(handle)

    async def rename(self, account_id: int, handle: str, by: str | None = None) -> Account:
        self.keys.check_age(by)
        return Account(account_id, handle, NOON)

    async def sessions(self, account_id: int) -> list[StoredSession]:
        return list(self.open_sessions)

    async def log_out(self, account_id: int, but: str, by: str | None = None, key: str | None = None) -> int:
        self.keys.check_age(by)
        self.keys.done.append(("logout", but))
        return 2


class FakeRatings:
    """Ratings by account and ladder."""

    def __init__(self) -> None:
        self.ratings: dict[int, dict[str, Rating]] = {}
        self.ranked: dict[str, list[Ranked]] = {}
        self.changes: dict[tuple[int, str], list[RatingChange]] = {}

    async def all_of(self, account_id: int) -> Mapping[str, Rating]:
        return self.ratings.get(account_id, {})

    async def top(self, ladder: str, limit: int = 50) -> Sequence[Ranked]:
        return self.ranked.get(ladder, [])[:limit]

    async def history(self, account_id: int, ladder: str, limit: int = 200) -> Sequence[RatingChange]:
        return self.changes.get((account_id, ladder), [])[:limit]


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

    async def report(
        self,
        by: int,
        about: str,
        why: str,
        lines: Sequence[Mapping[str, Json]] = (),
        match_id: str | None = None,
    ) -> int:
        self.reports.append((by, about, why))
        self.attached.append((match_id, [str(line["text"]) for line in lines]))
        return 1


class FakeFollowing:
    """Whom people follow, and what they noted."""

    def __init__(self) -> None:
        self.follows: dict[tuple[int, str], Followed] = {}
        self.invisible: set[int] = set()
        self.notes: dict[tuple[int, str], str] = {}

    async def of(self, account_id: int) -> list[Followed]:
        return sorted((one for (who, _), one in self.follows.items() if who == account_id), key=lambda one: one.handle)

    async def follow(self, account_id: int, handle: str) -> Account:
        other = person(handle).account_id or 0
        self.follows[account_id, handle] = Followed(other, handle, NOON)
        return Account(other, handle, NOON)

    async def unfollow(self, account_id: int, handle: str) -> bool:
        return self.follows.pop((account_id, handle), None) is not None

    async def wish(self, account_id: int, followed_id: int, tell: str | None) -> None:
        for key, one in self.follows.items():
            if key[0] == account_id and one.account_id == followed_id:
                self.follows[key] = replace(one, tell=tell)

    async def take_wish(self, account_id: int, followed_id: int, tell: str) -> bool:
        wished = any(who == account_id and one.tell == tell for (who, _), one in self.follows.items())
        await self.wish(account_id, followed_id, None)
        return wished

    async def set_invisible(self, account_id: int, is_invisible: bool) -> None:
        self.invisible = {account_id} if is_invisible else set()

    async def note(self, account_id: int, handle: str) -> str:
        return self.notes.get((account_id, handle), "")

    async def set_note(self, account_id: int, handle: str, text: str) -> None:
        self.notes[account_id, handle] = text


class FakeMessages:
    """What people wrote to each other."""

    def __init__(self) -> None:
        self.written: list[StoredMessage] = []

    async def tell(self, player: Player, handle: str, text: str) -> StoredMessage:
        made = StoredMessage(len(self.written) + 1, NOON, player.account_id or 0, player.name, handle, text)
        self.written.append(made)
        return made

    async def read(self, account_id: int, handle: str | None = None) -> list[StoredMessage]:
        return [one for one in self.written if handle in (None, one.sender, one.receiver)]


class FakeModeration:
    """What waits for moderators, and what they did: (act, whom, why, for how long)."""

    def __init__(self) -> None:
        self.actor = ""
        self.moderators = {"omid"}
        self.waiting: list[Report] = []
        self.done: list[tuple[Any, ...]] = []
        self.known: dict[str, Dossier] = {}
        self.held: list[InForce] = []
        self.is_young = False  # whether the moderator's key is

    async def is_allowed(self) -> bool:
        if self.is_young:
            raise AccountError("key.young", until="2026-01-02T03:04:05.000Z")
        return self.actor in self.moderators

    async def reports(self) -> list[Report]:
        return list(self.waiting)

    async def count_reports(self) -> int:
        return len(self.waiting)

    async def in_force(self) -> list[InForce]:
        return list(self.held)

    async def lift_held(self, held: InForce) -> bool:
        self.done.append(("lift", held.sanction.act, held.shown))
        self.held = [one for one in self.held if one is not held]
        return True

    async def dossier(self, handle: str, source: str | None = None) -> Dossier:
        return self.known.get(handle, Dossier((), (), ()))

    async def mute(self, target: str, why: str, lasts: timedelta | None) -> None:
        self.done.append(("mute", target, why, lasts))

    async def ban(self, target: str, why: str, lasts: timedelta | None) -> None:
        self.done.append(("ban", target, why, lasts))

    async def remark(self, name: str, text: str) -> None:
        self.done.append(("note", name, text))

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
