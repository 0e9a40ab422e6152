"""Messages in events, each once and only to who may read it; and a report that takes an exchange of them along."""

from __future__ import annotations

import pytest

from server.accounts.errors import AccountError
from server.store import conduct, events
from server.store.events import StoredEvent
from tests.accounts.test_messages import Writers, writers

__all__ = ["writers"]


async def told(writers: Writers, name: str) -> list[StoredEvent]:
    since = writers.clock.now().replace(year=2000)
    return await writers.database.read(events.after, writers.id_of(name), 0, since, 100)


async def test_each_message_that_is_shown_is_one_event_and_no_other_is(writers: Writers) -> None:
    await writers.tell("mira", "tarn", "one")
    await writers.tell("mira", "tarn", "two")
    await writers.tell("lio", "tarn", "from who is not followed")
    assert [(one.kind, one.who, one.match_id) for one in await told(writers, "tarn")] == [("message", "mira", None)] * 2
    assert await told(writers, "mira") == [], "its writer is told nothing"
    await writers.conduct.block(writers.id_of("tarn"), "mira")
    await writers.tell("mira", "tarn", "three")
    assert len(await told(writers, "tarn")) == 2


async def test_what_is_not_delivered_leaves_no_gap_in_the_numbers_of_events(writers: Writers) -> None:
    await writers.tell("lio", "tarn", "unseen")
    await writers.tell("mira", "tarn", "seen")
    await writers.tell("lio", "tarn", "unseen")
    await writers.tell("mira", "tarn", "seen")
    assert [one.no for one in await told(writers, "tarn")] == [1, 2]
    assert await told(writers, "lio") == []


async def test_a_message_that_is_refused_is_no_event(writers: Writers) -> None:
    with pytest.raises(AccountError):
        await writers.tell("mira", "tarn", "  ")
    assert await told(writers, "tarn") == []


async def test_an_event_says_who_by_the_handle_of_now_and_nobody_once_they_are_gone(writers: Writers) -> None:
    await writers.tell("mira", "tarn")
    await writers.accounts.rename(writers.id_of("mira"), "miranda")
    assert [one.who for one in await told(writers, "tarn")] == ["miranda"]
    await writers.accounts.delete(writers.id_of("mira"))
    assert [one.who in (None, f"deleted-{writers.id_of('mira')}") for one in await told(writers, "tarn")] == [True]


async def test_what_the_reporter_was_not_shown_goes_into_no_report(writers: Writers) -> None:
    """A report takes along the exchange as its writer reads it."""
    await writers.tell("mira", "tarn", "rude words")
    await writers.tell("tarn", "mira", "why?")
    await writers.following.unfollow(writers.id_of("tarn"), "mira")
    await writers.tell("mira", "tarn", "never delivered")
    exchange = await writers.messages.read(writers.id_of("tarn"), "mira")
    assert [(one.sender, one.text) for one in exchange] == [("mira", "rude words"), ("tarn", "why?")]
    assert await writers.database.read(conduct.open_reports) == []
