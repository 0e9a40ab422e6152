"""What is printed over SSH: no character that a terminal would obey, and JSON of the same value."""

from __future__ import annotations

from typing import Any

import msgspec

from server.boards.wire import to_json
from server.ssh.call import Call
from server.tokenbucket import Rates
from tests.matches.table import MIRA
from tests.ssh.commands import Heard, person

NASTY = "\x9b31mred\x9b2J\u202e\x9d0;title\x9c\u2028\x7f\u200b\U000e0041"


async def test_json_had_control_and_bidi_characters_as_they_were() -> None:
    told: dict[str, Any] = {"re": NASTY, NASTY: [NASTY, "你好"]}
    heard = Heard()
    await call_of(heard).out_json(told)
    assert heard.out.removesuffix("\n").isprintable()
    assert "你好" in heard.out
    assert msgspec.json.decode(heard.out) == told
    assert msgspec.json.decode(to_json(told)) == told


def test_a_message_that_quotes_what_was_asked_is_harmless() -> None:
    heard = Heard()
    call_of(heard).err(f"patchbay: {NASTY}\x1b[2J\nusage: show MATCH")
    first, second = heard.err.splitlines()
    assert first.isprintable()
    assert second == "usage: show MATCH"


def call_of(heard: Heard) -> Call:
    unused: Any = None
    writer: Any = heard
    return Call(person(MIRA), None, {}, None, writer, unused, "call", Rates(lambda: 0.0))
