"""A page in a browser as a terminal: what its lines of JSON say is the frame that a screen shows."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from server.terminal.meaning import KeyShown, Meaning
from server.terminal.rowscreen import RowScreen
from server.terminal.sheet import Frame, LineCanvas
from tests.seeds import drawn as drawn_seed

SIZE = (20, 5)


class Wire:
    """What was sent; `paused`: it is not read."""

    def __init__(self) -> None:
        self.sent, self.paused = b"", False

    def write(self, data: bytes) -> None:
        self.sent += data

    def taken(self) -> list[dict[str, Any]]:
        found, self.sent = [json.loads(line) for line in self.sent.splitlines()], b""
        return found


def drawn(rng: Random) -> Frame:
    def line() -> tuple[tuple[str, str], ...]:
        text = "".join(rng.choice("ab <&") for _ in range(SIZE[0]))
        return (("title", text[:7]), ("", text[7:]))

    return Frame(SIZE[0], tuple(line() if rng.random() < 0.5 else (("", " " * SIZE[0]),) for _ in range(SIZE[1])))


def test_what_was_sent_adds_up_to_the_frame_that_shows() -> None:
    rng = Random(drawn_seed())
    wire = Wire()
    screen, rows = RowScreen(wire, SIZE), list[Any]()
    for _ in range(50):
        frame = drawn(rng)
        screen.draw_screen(SIZE, LineCanvas(frame))
        for message in wire.taken():
            rows = message.get("whole", rows)
            for y, row in message.get("rows", ()):
                rows[y] = row
        assert ["".join(text for _, text in row) for row in rows] == [
            "".join(text for _, text in line) for line in frame.lines
        ]


def test_only_what_changed_is_sent_and_nothing_where_nothing_did() -> None:
    wire = Wire()
    screen, frame = RowScreen(wire, SIZE), drawn(Random(1))
    _ = screen.tell(Meaning(log=("a",), keys=(KeyShown("p", "p", "Play"),)))
    screen.draw_screen(SIZE, LineCanvas(frame))
    [whole] = wire.taken()
    assert (whole["log"], whole["keys"][0]["press"]) == ([True, ["a"]], "p")
    assert not screen.tell(Meaning(log=("a",), keys=(KeyShown("p", "p", "Play"),)))
    screen.draw_screen(SIZE, LineCanvas(frame))
    assert wire.taken() == []
    assert screen.tell(Meaning(log=("a", "b"), keys=(KeyShown("p", "p", "Play"),)))
    screen.draw_screen(SIZE, LineCanvas(frame))
    assert wire.taken() == [{"log": [False, ["b"]]}]


def test_a_page_that_does_not_read_skips_frames() -> None:
    wire = Wire()
    screen = RowScreen(wire, SIZE)
    wire.paused = True
    screen.draw_screen(SIZE, LineCanvas(drawn(Random(2))))
    assert wire.taken() == []
    assert screen.is_stale


def test_no_control_character_of_a_frame_reaches_a_page() -> None:
    wire = Wire()
    screen = RowScreen(wire, (8, 1))
    screen.draw_screen((8, 1), LineCanvas(Frame(8, ((("", "a\x1b[2J\u202eb"),),))))
    [whole] = wire.taken()
    assert whole["whole"] == [[["", "a[2Jb"]]]


def test_a_text_never_is_a_key() -> None:
    got: list[Any] = []
    screen = RowScreen(Wire(), SIZE)
    screen.hook_event_loop(None, lambda keys, raw: got.extend(keys))  # type: ignore[arg-type]
    screen.take({"text": "q\n\x1b"})
    screen.take({"key": "\x1b"})
    assert got == ["begin paste", "q", "enter", "end paste"]
