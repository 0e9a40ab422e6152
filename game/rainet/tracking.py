"""Tracks cards through the public log, so that types shown before a 404 are still used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from game.rainet.board import FACE_UP, NORTH, SOUTH, SQUARES, VIRUS

NOBODY = -1


@dataclass(frozen=True, slots=True)
class Tracks:
    """Each card by the square it stood on when play began (its number), under one assumption about the 404s.

    `at[square]` is the number of the card there, or NOBODY; `stacked[seat]` the numbers in order of arrival since play
    began; `viruses` the types that were shown, by number. `fits` is False when the assumption contradicts what
    was shown.
    """

    at: tuple[int, ...]
    stacked: tuple[tuple[int, ...], tuple[int, ...]]
    viruses: dict[int, bool]
    fits: bool


class _Trail:
    """Tracks in the making, while a log is replayed under one assumption."""

    __slots__ = ("at", "fits", "stacked", "viruses")

    def __init__(self, origin: bytes) -> None:
        self.at = [square if card else NOBODY for square, card in enumerate(origin)]
        self.stacked: tuple[list[int], list[int]] = ([], [])
        self.viruses = {i: bool(card & VIRUS) for i, card in enumerate(origin) if card & FACE_UP}
        self.fits = True

    def learn(self, number: int, shown: str) -> None:
        """Note a type that was shown: a letter, or '' for none."""
        if shown and self.viruses.setdefault(number, shown in "vV") is not (shown in "vV"):
            self.fits = False

    def walk(self, text: str, shown: str, seat: int) -> None:
        """Follow one move or entry."""
        start = SQUARES[text[:2]]
        number, self.at[start] = self.at[start], NOBODY
        if ">" in text:
            self.stacked[seat].append(number)
            self.learn(number, shown)
            return
        target = SQUARES[text[-2:]]
        if self.at[target] != NOBODY:
            self.stacked[seat].append(self.at[target])
            self.learn(self.at[target], shown)
        self.at[target] = number


def follow(origin: bytes, first: int, log: Sequence[str], swapped: bool) -> Tracks:
    """Replay a log as a viewer has it; a 404 of which the viewer does not know is taken to have `swapped` or not.

    One assumption serves both sides, because neither side's numbers depend on the other's 404.
    """
    trail = _Trail(origin)
    for ply, entry in enumerate(log):
        text, _, shown = entry.partition(":")
        if text[0] in "abcdefgh":
            trail.walk(text, shown, (first + ply) % 2)
        elif text[0] == "?":
            trail.learn(trail.at[SQUARES[text[1:]]], shown)
        elif text[0] == "@" and (text[-1] == "x" or (text[-1] == "?" and swapped)):
            one, other = SQUARES[text[1:3]], SQUARES[text[3:5]]
            trail.at[one], trail.at[other] = trail.at[other], trail.at[one]
    stacked = (tuple(trail.stacked[SOUTH]), tuple(trail.stacked[NORTH]))
    return Tracks(tuple(trail.at), stacked, trail.viruses, trail.fits)


def is_open(entry: str) -> bool:
    """Tell whether this log entry is a 404 whose swap the viewer does not know."""
    return entry[0] == "@" and entry[-1] == "?"
