"""The command line's English sentences for these rules' refusals; the catalogues have them in every language."""

from __future__ import annotations

from collections.abc import Mapping

SENTENCES: Mapping[str, str] = {
    "passage.error.unreadable": "Choices are written like play greed, judge or pass; this can’t be read.",
    "passage.error.position": "This position can't be read.",
    "passage.error.setup": "Passage is for two to five players.",
    "passage.error.blank": "Give the Blank a meaning first.",
    "passage.error.deck": "The deck needs four function cards for each player.",
    "passage.error.not-playing": "You are out of this match.",
    "passage.error.not-awaited": "You are not asked now.",
    "passage.error.not-now": "That can't be done now.",
    "passage.error.not-in-hand": "You don't have that card.",
    "passage.error.not-playable": "That card can't be played.",
    "passage.error.bad-target": "That card can't be played at this target.",
    "passage.error.wrong-count": "That is not the right number of cards.",
    "passage.error.out-of-range": "There is no such place.",
    "passage.error.face-down": "Your hand lies face down: name places, not cards.",
}
