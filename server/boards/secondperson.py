"""What happened, told to who did it: "you" in the place of their name."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from server.boards.seats import is_you, own_seat
from server.matches.model import AnyViewerState
from server.terminal.look import Look

MARK: Final = "\x01"  # stands for the reader's name until the sentence is whole; no name holds it
IS_DOING: Final = re.compile(rf"{MARK} ([\w’']+)")
AND_DOING: Final = re.compile(r" and (\w+)")
OWNS: Final = re.compile(rf"{MARK}[’']s")
GAPS: Final = re.compile(rf"(?:(?<=[一-鿿]) )?{MARK}(?: (?=[一-鿿]))?")  # Chinese has none around a word of its own


def marked(snapshot: AnyViewerState) -> AnyViewerState:
    """Return the state with the mark in the place of the reader's name; the same where no seat is theirs."""
    own = own_seat(snapshot)
    if own is None or not is_you(snapshot, own):
        return snapshot
    seats = [
        replace(one, player=replace(one.player, name=MARK, is_machine=False)) if one.seat == own else one
        for one in snapshot.seats
    ]
    return replace(snapshot, seats=tuple(seats))


def in_second_person(text: str, look: Look) -> str:
    """Return a sentence with "you" in the place of the mark, its verbs in that form.

    >>> in_second_person("\\x01 leaves and is out", Look()), in_second_person("tarn attacks c8 of \\x01", Look())
    ('you leave and are out', 'tarn attacks c8 of you')
    """
    if MARK not in text:
        return text
    forms = dict(pair.split("=") for pair in look.t("told.verbs").split() if "=" in pair)
    you, is_doing = look.t("told.you"), text.startswith(MARK)
    text = OWNS.sub(look.t("told.your"), text)
    text = IS_DOING.sub(lambda found: f"{you} {forms[found[1]]}" if found[1] in forms else found[0], text)
    if is_doing:
        text = AND_DOING.sub(lambda found: f" and {forms.get(found[1], found[1])}", text)
    return GAPS.sub(you, text)
