"""Terminals as they are: what they say of themselves at the start, and what is made of it."""

from __future__ import annotations

from typing import Any

import pytest

from server.accounts.preferences import MOST_TERMINALS, Preferences, look_on, read_preferences, with_look
from server.terminal.keys import KeyDecoder
from server.terminal.term import client_term
from tests.session.fakeserver import FakeServer, Seated, account, new_key
from tests.texts import en

DARK, LIGHT = b"\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\", b"\x1b]11;rgb:ffff/ffff/ffff\x07"
NARROW, WIDE = b"\x1b[2;3R", b"\x1b[2;5R"
LOBBY, ASKS = " Lobby", en("calibrate.title")


async def answered(server: FakeServer, seated: Seated, *answers: bytes) -> Seated:
    for answer in answers:
        seated.screen.feed(answer)
    await seated.settle()
    return seated


def look(seated: Seated) -> tuple[str, str]:
    return seated.session.look.palette, seated.session.look.glyph_set


async def test_a_terminal_is_asked_once_with_the_first_frame(server: FakeServer) -> None:
    seated = await server.connect(account("mira"))
    sent = bytes(seated.wire.sent)
    assert sent.count(b"\x1b]11;?") == sent.count(b"\x1b[6n") == 1
    assert sent.index(b"\x1b[6n") < sent.index(b"Lobby")
    assert LOBBY in seated.rows[0], "drawn at once"


@pytest.mark.parametrize("name", ["vt100", "linux", "dumb"])
async def test_terminals_without_such_answers_are_not_asked(server: FakeServer, name: str) -> None:
    seated = await server.connect(account("mira"), term=client_term(name, {}))
    assert b"\x1b[6n" not in seated.wire.sent
    assert b"\x1b]11" not in seated.wire.sent


@pytest.mark.parametrize(
    ("answers", "shown"),
    [
        ((DARK, NARROW), ("default", "unicode")),
        ((LIGHT, NARROW), ("light", "unicode")),
        ((DARK, WIDE), ("default", "ascii")),
        ((LIGHT, WIDE), ("light", "ascii")),
        ((NARROW,), ("default", "unicode")),
    ],
)
async def test_a_new_person_sees_what_suits_their_terminal(
    server: FakeServer, answers: tuple[bytes, ...], shown: tuple[str, str]
) -> None:
    seated = await server.connect(new_key("zoe"))
    await answered(server, seated, *answers)
    assert look(seated) == shown


def grounds(seated: Seated) -> set[str]:
    """Return the background colours on the screen."""
    buffer = seated.wire.screen.buffer
    return {buffer[y][x].bg for y in range(24) for x in range(80)}


async def test_a_ground_that_is_not_known_is_brought_along_and_a_known_one_left_as_it_is(server: FakeServer) -> None:
    """On a white xterm nothing could be read, not even the question whether it can."""
    seated = await server.connect(new_key("zoe"))
    assert "default" not in grounds(seated)
    await answered(server, seated, DARK, NARROW)
    assert "default" in grounds(seated)


@pytest.mark.parametrize("cut", range(1, len(LIGHT + NARROW)))
async def test_an_answer_is_never_taken_for_keys_wherever_it_is_cut(server: FakeServer, cut: int) -> None:
    heard: list[Any] = []
    seated = await server.connect(account("mira"))
    seated.session.input.press = heard.append  # type: ignore[method-assign, assignment]
    both = LIGHT + NARROW
    await answered(server, seated, both[:cut], both[cut:])
    assert heard == []
    assert look(seated) == ("light", "unicode")


@pytest.mark.parametrize("begun", [b"\x1b]1", b"\x1b]11;rgb:ff", b"\x1b[2", b"\x1b[2;"])
def test_the_beginning_of_an_answer_is_told_from_a_key(begun: bytes) -> None:
    """The rest of an answer that came in two pieces was typed into the lobby: `f f / f f`."""
    decoder = KeyDecoder()
    assert decoder.feed(begun) == []
    assert decoder.is_reporting
    for key in (b"\x1b", b"\x1b[", b"\x1b]", b"\x1bO"):
        other = KeyDecoder()
        other.feed(key)
        assert not other.is_reporting, key


async def test_a_ground_that_is_told_late_left_patches_of_another_one(server: FakeServer) -> None:
    """The frame that was shared until then was sent again, and only what changed after it came in the right colours."""
    seated = await server.connect(account("mira"), term=client_term("xterm", {}))
    assert "black" in grounds(seated), "while the terminal is not known, the palette brings its ground"
    await answered(server, seated, DARK, NARROW)
    assert "black" not in grounds(seated)


async def test_what_comes_later_is_no_answer_any_more(server: FakeServer) -> None:
    seated = await server.connect(account("mira"))
    seated.screen.end_probe()
    await answered(server, seated, LIGHT, WIDE)
    assert look(seated) == ("default", "unicode")
    assert LOBBY in seated.rows[0]


async def test_a_look_stays_with_the_kind_of_terminal_it_was_chosen_on(server: FakeServer) -> None:
    """Glyphs and palette were kept per account: "light" followed one to a dark terminal."""
    server.prefer("mira", Preferences())
    light = await server.connect(account("mira"))
    await answered(server, light, LIGHT, NARROW)
    assert ASKS in light.text
    await light.type("enter")
    kept = server.preferences("mira")
    assert kept.palette == ""
    assert look_on(kept.terminals, "xterm-256color/light/narrow") == ("light", "unicode")
    dark = await answered(server, await server.connect(account("mira")), DARK, NARROW)
    assert look(dark) == ("default", "unicode")
    again = await answered(server, await server.connect(account("mira")), LIGHT, NARROW)
    assert look(again) == ("light", "unicode")
    assert LOBBY in again.rows[0]


async def test_another_kind_of_terminal_is_calibrated_again_once(server: FakeServer) -> None:
    server.prefer("mira", Preferences(calibrated=True, palette="default", glyphs="unicode"))
    wide = await answered(server, await server.connect(account("mira")), DARK, WIDE)
    assert ASKS in wide.text
    assert look(wide) == ("default", "ascii")
    await wide.type("enter")
    assert LOBBY in wide.rows[0]
    assert server.preferences("mira").glyphs == "unicode", "what other terminals show"
    again = await answered(server, await server.connect(account("mira")), DARK, WIDE)
    assert LOBBY in again.rows[0]
    assert look(again) == ("default", "ascii")


async def test_what_a_person_needs_goes_with_them_to_every_terminal(server: FakeServer) -> None:
    server.prefer("mira", Preferences(calibrated=True, palette="colour-blind"))
    seated = await answered(server, await server.connect(account("mira")), LIGHT, NARROW)
    assert look(seated) == ("colour-blind-light", "unicode"), "its counterpart for a light ground"


def test_only_so_many_kinds_of_terminals_are_kept_and_they_survive_storing() -> None:
    kept: tuple[str, ...] = ()
    for n in range(MOST_TERMINALS + 3):
        kept = with_look(kept, f"xterm{n}/dark/narrow", "default", "unicode")
    kept = with_look(kept, "xterm5/dark/narrow", "light", "ascii")
    assert len(kept) == MOST_TERMINALS
    assert look_on(kept, "xterm5/dark/narrow") == ("light", "ascii")
    assert look_on(kept, "xterm0/dark/narrow") is None
    assert read_preferences({"terminals": list(kept)}).terminals == kept


async def test_a_line_being_typed_is_not_lost_when_the_terminal_answers(server: FakeServer) -> None:
    """The page that asks about the look took the rest of it for commands, and enter accepted what showed."""
    server.prefer("mira", Preferences(calibrated=True, terminals=("xterm-256color/dark/narrow=default,unicode",)))
    seated = await server.connect(account("mira"))
    await seated.type("tab", *"hi a")
    await answered(server, seated, LIGHT, WIDE)
    assert ASKS in seated.text
    await seated.type(*"ll", "enter")
    assert [line.text for line in server.chat.recent("lobby", frozenset())] == ["hi all"]
