"""Three dots for one sign: where they have room, they take none from the word before them."""

from __future__ import annotations

from server.terminal.lines import fit, text_of
from server.terminal.look import ascii_line


def test_a_word_lost_its_end_to_the_dots_that_somebody_wrote() -> None:
    """ "careful now…" was "careful n..." in ASCII, with the rest of the line blank."""
    written = fit((("seat1", "tarn"), ("", "  careful now…")), 40)
    assert text_of(ascii_line(written, strict=False)) == "tarn  careful now...".ljust(40)


def test_a_text_that_was_cut_keeps_its_width() -> None:
    cut = (("", "a sentence that was cut…"),)
    assert text_of(ascii_line(cut, strict=False)) == "a sentence that was c..."
