"""Notices to people who are away: what concerns them goes to a topic that they named and proved to read.

A notice says that something waits, never who or what: no text of others is in it. The events that were looked at are
noted before anything is sent, so whatever happens a notice goes out once or not at all.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta

from server.accounts.codes import code_hash, new_code
from server.accounts.identity import Player
from server.accounts.young_keys import check_acting
from server.clock import Clock
from server.errors import RateLimited, Refused
from server.i18n.catalogues import catalogue
from server.log import get_logger
from server.matches.own_events import OwnEvents
from server.noticehosts import NoticeHost, Topic, read_topic
from server.notices.outbox import Outbox, Post, QueuedNotice
from server.presence.connections import Connections
from server.store import notice_topics as store
from server.store.database import Database
from server.store.errors import NotSaved, StoreUnavailable
from server.store.events import StoredEvent
from server.store.notice_topics import Sent, StoredTopic
from server.tasks import Tasks

log = get_logger("notices")
EVERY_S = 10.0
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
MOST_A_DAY = 20  # of notices; none twice an hour of one match
MOST_CODES = 5  # a day: somebody else may read where they go
MOST_TRIES = 5  # of one code
CODE_CHARS = 10
CODE = "code"  # stands for a match where a code was sent
KINDS = ("my_turn", "challenge", "paired", "message", "ended", "arrived")
Languages = Callable[[int], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class NoticesStand:
    """How an account's notices stand. `shown`: the topic, shortened; None: there is none."""

    shown: str | None
    is_confirmed: bool
    kinds: tuple[str, ...]


class Notices:
    """Keeps the topics of accounts and sends notices. `look` is to be repeated every EVERY_S."""

    def __init__(
        self,
        clock: Clock,
        database: Database,
        events: OwnEvents,
        connections: Connections,
        hosts: tuple[NoticeHost, ...],
        post: Post,
        name: str,
        language_of: Languages,
    ) -> None:
        self.hosts = hosts
        self._clock = clock
        self._database = database
        self._events = events
        self._connections = connections
        self._name = name
        self._language_of = language_of
        self._outbox = Outbox(clock, post, Tasks())

    async def close(self) -> None:
        """Send no more."""
        await self._outbox.close()

    # What an account says

    async def of(self, account_id: int) -> NoticesStand:
        """Return how an account's notices stand. Raises StoreUnavailable."""
        return self._stands(await self._database.read(store.of, account_id))

    async def set(
        self, account_id: int, url: str, kinds: Collection[str] = KINDS, by: str | None = None
    ) -> NoticesStand:
        """Send a code to a topic; notices go there once its owner has typed it (`confirm`).

        `by`: the fingerprint of the key in whose name it is done. Raises Refused for a URL on no listed host,
        AccountError for a young key where there are older ones (the topic would outlive it), RateLimited, NotSaved.
        """
        await self._database.write(check_acting, account_id, by, self._clock.now())
        topic, code = read_topic(url.strip(), self.hosts), new_code(CODE_CHARS)
        wanted = tuple(kind for kind in KINDS if kind in kinds)
        if not wanted:
            raise Refused("notices.error.kinds", kinds=", ".join(KINDS))
        last, now = await self._last_event(account_id), self._clock.now().timestamp()

        def make(before: StoredTopic | None) -> StoredTopic:
            sent = _lately(() if before is None else before.sent, now)
            codes = [at for what, at in sent if what == CODE]
            if len(codes) >= MOST_CODES:
                raise RateLimited("notice_codes", round((codes[0] + DAY.total_seconds() - now) * 1000) + 1)
            return StoredTopic(account_id, topic.url, wanted, code_hash(code), 0, last, (*sent, (CODE, now)))

        stored = await self._database.write(store.change, account_id, make)
        said = catalogue(await self._language_of(account_id)).t("notices.code", code=code)
        self._outbox.put(QueuedNotice(topic, self._name, said, self._still(stored)))
        return self._stands(stored)

    async def confirm(self, account_id: int, code: str) -> NoticesStand:
        """Begin to send to the topic whose code this is. Raises Refused for another code, NotSaved."""
        last, given = await self._last_event(account_id), code_hash(code.strip())
        is_right = False

        def make(before: StoredTopic | None) -> StoredTopic:
            nonlocal is_right
            if before is None or before.code_hash is None or not before.url or before.tries >= MOST_TRIES:
                raise Refused("notices.error.no-code")
            is_right = hmac.compare_digest(before.code_hash, given)
            if not is_right:
                return replace(before, tries=before.tries + 1)
            return replace(before, code_hash=None, tries=0, sent_no=last)

        stored = await self._database.write(store.change, account_id, make)
        if not is_right:
            raise Refused("notices.error.code")
        return self._stands(stored)

    async def stop(self, account_id: int) -> None:
        """Forget an account's topic; what was sent within a day still counts. Raises Refused, NotSaved."""

        if not await self._database.write(store.end, account_id):
            raise Refused("notices.error.none")

    async def _last_event(self, account_id: int) -> int:
        await self._events.make(account_id)
        return await self._events.last_no(account_id)

    @staticmethod
    def _stands(stored: StoredTopic | None) -> NoticesStand:
        if stored is None or not stored.url:
            return NoticesStand(None, False, ())
        return NoticesStand(shortened(stored.url), stored.code_hash is None, tuple(stored.kinds))

    # What is sent

    async def send_new(self) -> None:
        """Send what came since the last look. What fails for one person stops no other. Raises StoreUnavailable."""
        for topic in await self._database.read(store.confirmed):
            try:
                await self._send_due(topic)
            except (StoreUnavailable, NotSaved):
                raise
            except Exception:  # the guard of one person
                log.exception("notices.failed", account=topic.account_id)

    async def _send_due(self, topic: StoredTopic) -> None:
        with suppress(Refused):
            where = read_topic(topic.url, self.hosts)  # refused: the admin lists its host no more
            await self._events.make(topic.account_id)
            found = await self._events.stored(topic.account_id, topic.sent_no)
            if not found:
                return
            now, looks = self._clock.now().timestamp(), self._looks(topic.account_id)
            due = [] if looks else [one for one in found if one.kind in topic.kinds]
            chosen = list[StoredEvent]()

            def make(before: StoredTopic | None) -> StoredTopic:
                chosen.clear()
                if before is None or (before.url, before.sent_no) != (topic.url, topic.sent_no):
                    raise Refused("notices.error.none")  # another process has looked, or the owner has changed it
                sent = _lately(before.sent, now)
                for one in due:
                    if _may_send(sent, one.match_id, now):
                        chosen.append(one)
                        sent = (*sent, (one.match_id, now))
                return replace(before, sent_no=found[-1].no, sent=sent)

            stored = await self._database.write(store.change, topic.account_id, make)
            texts = catalogue(await self._language_of(topic.account_id))
            for one in chosen:
                said = texts.t(f"notices.{one.kind}", match=one.match_id or "")
                self._outbox.put(QueuedNotice(where, self._name, said, self._still(stored)))

    def _looks(self, account_id: int) -> bool:
        return self._connections.is_connected(Player("account", "", account_id=account_id))

    def _still(self, stored: StoredTopic) -> Callable[[], Awaitable[bool]]:
        """Return what tells whether the account still wants notices there: it may be gone by the time."""

        async def is_wanted() -> bool:
            with suppress(StoreUnavailable):
                now = await self._database.read(store.of, stored.account_id)
                return now is not None and (now.url, now.code_hash) == (stored.url, stored.code_hash)
            return False

        return is_wanted


def shortened(url: str) -> str:
    """Return what is shown of a topic's URL."""
    return Topic(url, NoticeHost("", 0, None)).shown


def _lately(sent: Sent, now: float) -> Sent:
    return tuple((match, at) for match, at in sent if at > now - DAY.total_seconds())


def _may_send(sent: Sent, match_id: str | None, now: float) -> bool:
    """Tell whether one more may go out: so many a day, and one a match and hour."""
    notices = [(match, at) for match, at in sent if match != CODE]
    is_full = len(notices) >= MOST_A_DAY
    return not is_full and not any(match == match_id and at > now - HOUR.total_seconds() for match, at in notices)
