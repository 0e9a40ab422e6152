"""The command line's English sentences for these rules' refusals; the catalogues have them in every language."""

from __future__ import annotations

from collections.abc import Mapping

SENTENCES: Mapping[str, str] = {
    "netrunner.error.card": "There is no such card here.",
    "netrunner.error.deck": "This deck is not legal.",
    "netrunner.error.list-card": "There is no such card here.",
    "netrunner.error.list-form": "This list can't be read.",
    "netrunner.error.list-identity": "A deck has one identity.",
    "netrunner.error.list-long": "This list is too long.",
    "netrunner.error.list-no-identity": "No identity is named.",
    "netrunner.error.list-number": "How many copies is not clear.",
    "netrunner.error.list-total": "A number doesn't agree with the cards.",
    "netrunner.error.not-awaited": "You are not asked now.",
    "netrunner.error.not-now": "That can't be done now.",
    "netrunner.error.over": "The match is over.",
    "netrunner.error.position": "This position can't be read.",
    "netrunner.error.rez-agenda": "An agenda is not rezzed. It is scored once it has been advanced enough.",
    "netrunner.error.rez-cost": "You can't pay for that card now.",
    "netrunner.error.rez-ice": "Ice is rezzed in a run, as the Runner approaches it.",
    "netrunner.error.rez-when": (
        "That card is rezzed between actions, as a turn begins or ends, "
        "or in a run as the Runner approaches ice or the server."
    ),
    "netrunner.error.rezzed": "That card is rezzed already.",
    "netrunner.error.score-counters": "That agenda must be advanced further first.",
    "netrunner.error.score-when": "An agenda is scored in your own turn: as it begins, or between your actions.",
    "netrunner.error.setup": "Netrunner is for two players.",
    "netrunner.error.unreadable": "Actions are written like credit, draw or run hq; this can’t be read.",
}
