"""A selection in words, for a player who comes back, and what of such words may still be selected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from server.boards.games.relati.selection import LINE, SURE, Selection, Shown, grid_of, offers, ways

FLEES: Final = "flees"
ASKED: Final = "EDB"  # what is to be confirmed


def to_words(snapshot: Shown, chosen: Selection) -> tuple[str, ...]:
    """Return the line of attack or the question that shows: `line Nc3-e3`; or that the source is selected."""
    if chosen.mode in (LINE, SURE):
        return (f"{chosen.mode} {chosen.text}",)
    return (FLEES, f"at {grid_of(snapshot).names[chosen.cursor]}") if chosen.flees else ()


def from_words(snapshot: Shown, chosen: Selection, words: Sequence[str]) -> Selection:
    """Return the selection with what such words say, where that may be selected now."""
    found = offers(snapshot)
    match [word.split(maxsplit=1) for word in words]:
        case [["line", text]]:
            cell = next((cell for cell, texts in found.attacks.items() if text in texts), None)
            if cell is not None:
                texts = ways(snapshot, cell)
                return Selection(cell, LINE, texts, texts.index(text))
        case [["sure", text]] if text[0] in ASKED:
            cell = next((cell for cell, by_verb in found.single.items() if by_verb.get(text[0]) == text), None)
            if cell is not None:
                return Selection(cell, SURE, (text,), flees=text[0] == "E")
        case [["flees"], ["at", name]] if found.cells("E") and (at := grid_of(snapshot).named(name)) is not None:
            return replace(chosen, cursor=at, flees=True)
    return chosen
