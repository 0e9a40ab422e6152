"""The command line's English sentences for these rules' refusals; the catalogues have them in every language."""

from __future__ import annotations

from collections.abc import Mapping

SENTENCES: Mapping[str, str] = {
    "relati.error.unreadable": "Moves are written like Rc3 or Nc8e8; this can’t be read.",
    "relati.error.off-board": "That cell is not on the board.",
    "relati.error.option": "That option can't have this value.",
    "relati.error.players": "Relati is for two to six players.",
    "relati.error.position": "That position can't be read.",
    "relati.error.position-board": "The position has another board than the option.",
    "relati.error.position-players": "The position's marks don't fit its players.",
    "relati.error.position-row": "A row of the position has the wrong length.",
    "relati.error.position-size": "Boards have 5 to 23 cells on a side.",
    "relati.error.position-turn": "The position's turn fits none of its players.",
    "relati.error.over": "The match is over.",
    "relati.error.out": "You are out of this match.",
    "relati.error.not-your-turn": "It is not your turn.",
    "relati.error.occupied": "That cell is taken.",
    "relati.error.located": "You have located already.",
    "relati.error.not-linked": "None of your valid pieces is linked to that cell.",
    "relati.error.connectable": "You can connect there, so you can't escape there.",
    "relati.error.no-escape": "No valid piece of yours sees that cell in a straight line.",
    "relati.error.not-defendable": "Only your linked pieces can become shields.",
    "relati.error.not-your-shield": "Only your own shields can be set off.",
    "relati.error.no-line": "Target, medium and spent piece must be in one line.",
    "relati.error.no-target": "There is nothing to attack there.",
    "relati.error.target-safe": "That piece is in its owner's safe area.",
    "relati.error.no-medium": "The medium must be a valid piece of yours.",
    "relati.error.nothing-to-spend": "There is no piece to spend behind the medium.",
    "relati.error.spent-safe": "A piece in another player's safe area can't be spent.",
    "relati.error.line-blocked": "Something stands between target and medium.",
}
