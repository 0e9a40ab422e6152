"""The command line's English sentences for these rules' refusals; the catalogues have them in every language."""

from __future__ import annotations

from collections.abc import Mapping

SENTENCES: Mapping[str, str] = {
    "hex.error.cell": "There is no such cell on this board.",
    "hex.error.not-your-turn": "It is not your turn. Wait for the other side.",
    "hex.error.over": "This match is over.",
    "hex.error.position": "This is no position of Hex.",
    "hex.error.taken": "This cell is taken. Choose an empty one.",
}
