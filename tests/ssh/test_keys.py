"""Reading keys: whatever a terminal sends, cut anywhere."""

from __future__ import annotations

from collections.abc import Sequence

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
        (b"\x1bx\x1b:", ["esc", "x", "esc", ":"]),  # Esc and a letter in haste; no key has Alt in it
        (b"\x1b\r\x1b\x7f", ["meta enter", "meta backspace"]),
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


# Stalls: between two packets of a sequence the wait for its rest runs out, or not.

SEQUENCES = (
    *(
        b"\x1b[A",
        b"\x1bOP",
        b"\x1b[1;5C",
        b"\x1b[15~",
        b"\x1b[3;5~",
        b"\x1b[Z",
        b"\x1b[[A",
        b"\x1b[<0;10;5M",
        b"\x1b[<0;10;5m",
    ),
    *(
        b"\x1b[M !!",
        b"\x1b[M \xc2\xa1!",
        "\x1b[M \u0101\u0101".encode(),
        b"\x1b[97;1:3u",
        b"\x1b[1;1:3A",
        b"\x1b[5$",
        b"\x1bO5C",
    ),
    *(
        b"\x1b[?1;2c",
        b"\x1b[12;40R",
        b"\x1b]11;rgb:0000/0000/0000\x07",
        b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\",
        b"\x1bP1$r0m\x1b\\",
    ),
    *(b"\x1b[I", b"\x1b[27;5;9~", "é".encode(), "中".encode(), "😀".encode()),
)
CUTS = [(whole, at) for whole in SEQUENCES for at in range(1, len(whole))]


def shown(keys: Sequence[object]) -> list[object]:
    """Return what would be typed: characters, and enter."""
    return [key for key in keys if isinstance(key, str) and (len(key) == 1 or key == "enter")]


@pytest.mark.parametrize(("whole", "at"), CUTS)
def test_a_sequence_cut_by_a_stall_typed_its_rest(whole: bytes, at: int) -> None:
    decoder = KeyDecoder()
    begun = decoder.feed(whole[:at])
    assert decoder.is_waiting
    assert begun == []
    if not decoder.is_lone_escape:  # then its rest is waited for: a short stall changes nothing
        assert decoder.feed(whole[at:] + b"q") == KeyDecoder().feed(whole + b"q")
        decoder = KeyDecoder()
        decoder.feed(whole[:at])
    given_up = decoder.expire()
    assert shown([*given_up, *decoder.feed(whole[at:] + b"q" if len(whole) - at > 1 else whole[at:])]) in (["q"], [])
    assert shown(decoder.feed(b"z")) == ["z"]


@pytest.mark.parametrize(("whole", "at"), [one for one in CUTS if one[1] > 1])
def test_the_rest_of_a_sequence_in_single_bytes_is_not_typed(whole: bytes, at: int) -> None:
    decoder = KeyDecoder()
    keys = [*decoder.feed(whole[:at]), *decoder.expire()]
    if whole[1:2] in (b"]", b"P") or whole[:at] == b"\x1b[[":
        return  # a single letter is a key there
    for byte in whole[at:]:
        keys += [*decoder.feed(bytes([byte])), *decoder.expire()]
    assert shown(keys) == []


@pytest.mark.parametrize("after", ["]", "[", "O", "P", "q"])
def test_an_escape_and_a_letter_that_were_typed_are_two_keys(after: str) -> None:
    decoder = KeyDecoder()
    assert [*decoder.feed(b"\x1b"), *decoder.expire(), *decoder.feed(after.encode())] == ["esc", after]


@pytest.mark.parametrize("after", [":", "q", "?", "é", "1"])
@pytest.mark.parametrize("is_joined", [False, True])
def test_a_key_typed_right_after_escape_was_lost(after: str, is_joined: bool) -> None:
    """It came before Esc was decided by time, or in one packet with it, as terminals in terminals send it."""
    decoder, packets = KeyDecoder(), [b"\x1b", after.encode()]
    keys = [key for packet in ([b"".join(packets)] if is_joined else packets) for key in decoder.feed(packet)]
    assert keys == ["esc", after]
    assert not decoder.is_waiting


PASTE = b"\x1b[200~one\rtwo\x1b[201~"


@pytest.mark.parametrize("at", range(1, len(PASTE)))
@pytest.mark.parametrize("is_long", [False, True])
def test_a_paste_cut_by_a_stall_is_still_a_paste(at: int, is_long: bool) -> None:
    """The terminal stayed in paste for good: Enter was a blank there."""
    decoder = KeyDecoder()
    keys = decoder.feed(PASTE[:at])
    if is_long or decoder.is_lone_escape:
        keys += decoder.expire()
    keys += decoder.feed(PASTE[at:] + b"\r")
    if at <= 2 and keys[0] != "begin paste":
        assert keys.pop(0) in ("esc", "meta [")  # what was there alone is decided by time
    assert keys == KeyDecoder().feed(PASTE + b"\r")
    assert not decoder.is_pasting


def test_a_paste_without_an_end_is_ended_by_one_key_after_silence_and_by_nothing_else() -> None:
    decoder = KeyDecoder()
    decoder.feed(b"\x1b[200~resign\r")
    assert decoder.feed(b"y") == ["y"]
    assert decoder.feed(b"\x03\x1b\x1b") == []
    decoder.expire()
    assert decoder.feed(b"y\r\x03") == ["y", "line end"], "what comes in a burst is still pasted"
    decoder.expire()
    assert decoder.feed(b"\r") == ["end paste"], "the key ends it, and does nothing else"
    assert decoder.feed(b"\r") == ["enter"]


def test_a_release_of_a_key_typed_a_second_letter() -> None:
    assert KeyDecoder().feed(b"\x1b[97;1:1u\x1b[97;1:3u\x1b[13;1:3u\x1b[1;1:3A\x1b[1;1:2A") == ["a", "up"]


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(SEQUENCES), min_size=1, max_size=4), st.data())
def test_sequences_cut_anywhere_type_nothing(parts: list[bytes], data: st.DataObject) -> None:
    whole = b"".join(parts)
    cuts = sorted(data.draw(st.sets(st.integers(1, len(whole) - 1), max_size=4))) if len(whole) > 1 else []
    decoder, keys = KeyDecoder(), list[object]()
    for begin, end in zip([0, *cuts], [*cuts, len(whole)], strict=True):
        keys += decoder.feed(whole[begin:end])  # after a stall of less than two seconds
    assert [key for key in shown(keys) if str(key).isascii()] == []
    assert keys == KeyDecoder().feed(whole)
