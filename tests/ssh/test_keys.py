"""Reading keys: whatever a terminal sends, cut anywhere."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.terminal.keys import LONGEST_PASTE, LONGEST_STRING, KeyDecoder


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b"aZ ~", ["a", "Z", " ", "~"]),
        (b"<", ["<"]),
        (b"\r\n\t\x7f\x08", ["enter", "enter", "tab", "backspace", "backspace"]),
        (b"\x01\x03\x1a", ["ctrl a", "ctrl c", "ctrl z"]),
        (b"\x1b[A\x1b[B\x1bOC\x1b[D", ["up", "down", "right", "left"]),
        (b"\x1b[5~\x1b[H\x1b[3~\x1bOP\x1b[1;5C", ["page up", "home", "delete", "f1", "ctrl right"]),
        (b"\x1bx", ["meta x"]),
        (b"\x1b[<0;10;5M\x1b[<0;10;5m", [("mouse press", 1, 9, 4), ("mouse release", 1, 9, 4)]),
        ("é中".encode(), ["é", "中"]),
        (b"\x1b[?1;2c\x1b[12;40Rq", ["q"]),  # a terminal's own reports
        (b"\x1b]11;rgb:0000/0000/0000\x07q", ["q"]),
        (b"\x1bP1$r0m\x1b\\q", ["q"]),
        (b"\x00\x1c\x1fq", ["q"]),
        (b"\xff\xfe\xc3(q", ["(", "q"]),  # broken UTF-8
        ("\u009b\u202e\u2028q".encode(), ["q"]),  # C1, a bidi override, a line separator
    ],
)
def test_reads(data: bytes, keys: list[object]) -> None:
    assert KeyDecoder().feed(data) == keys


@pytest.mark.parametrize("data", [b"\x1b[1;5Cx", "中文é".encode(), b"\x1b[<0;10;5Mq", b"\x1b[200~a\rb\x1b[201~c"])
def test_a_sequence_may_arrive_byte_by_byte(data: bytes) -> None:
    decoder = KeyDecoder()
    assert [key for byte in data for key in decoder.feed(bytes([byte]))] == KeyDecoder().feed(data)
    assert not decoder.is_waiting


def test_a_lone_escape_is_a_key_once_nothing_follows() -> None:
    decoder = KeyDecoder()
    assert decoder.feed(b"\x1b") == []
    assert decoder.is_waiting
    assert decoder.expire() == ["esc"]
    assert not decoder.is_waiting


def test_a_paste_never_presses_keys() -> None:
    keys = KeyDecoder().feed(b"\x1b[200~one\r\ntwo\x1b[A\x1b\x08\x1b[201~q")
    assert keys[0] == "begin paste"
    assert "enter" not in keys
    assert "up" not in keys
    assert keys[-2:] == ["end paste", "q"]


def test_a_paste_keeps_its_first_characters() -> None:
    keys = KeyDecoder().feed(b"\x1b[200~" + b"a" * 1_000_000 + b"\x1b[201~")
    assert len(keys) == LONGEST_PASTE + 2


def test_an_endless_answer_of_a_terminal_is_not_kept() -> None:
    decoder = KeyDecoder()
    for _ in range(100):
        assert decoder.feed(b"\x1b]0;" + b"\x80" * 1000) == []
    assert len(decoder.kept) <= LONGEST_STRING


def test_a_private_character_after_escape_is_no_key() -> None:
    decoder = KeyDecoder()
    assert [key for packet in (b"\x1b", b"\xee\x80", b"\x80") for key in decoder.feed(packet)] == []


@settings(deadline=None, max_examples=300)
@given(
    st.lists(st.binary(max_size=40) | st.sampled_from([b"\x1b", b"\x1b[", b"\x1b[200~", b"\x1b[<", b"\x1b]", b"\xe4"]))
)
def test_any_bytes_give_keys_that_are_safe_to_show(packets: list[bytes]) -> None:
    decoder = KeyDecoder()
    keys = [key for packet in packets for key in decoder.feed(packet)] + decoder.expire()
    assert not decoder.is_waiting
    for key in keys:
        assert isinstance(key, tuple) or (key.isprintable() and key)
