"""By which events somebody learns what was hidden from them, or chance decides; most cards leave a hand face up."""

from __future__ import annotations

from collections.abc import Mapping

# Kind -> the parameter that everybody is told where it reveals something; "": it always may.
REVEALING: Mapping[str, str] = {
    "alms": "",
    "blank-acts": "",
    "dealt": "",
    "discarded": "",
    "drew": "",
    "drew-blank": "",
    "drew-nothing": "",
    "drew-passage": "",
    "gave": "",
    "judged": "",
    "looked": "",
    "mixed-in": "",
    "out": "",
    "passage-left": "",
    "passed": "",
    "played": "",
    "put-back": "position",
    "returned": "",
    "revealed": "",
    "saved": "",
    "sealed": "",
    "shuffled": "",
    "unsealed": "",
    "vetoed": "",
    "woke": "",
}
HARMLESS = frozenset(
    (
        "auto",
        "blinded",
        "counts",
        "decided",
        "drawing",
        "duel-over",
        "left",
        "moved",
        "no-effect",
        "nobody-returns",
        "owes-bottom",
        "reversed",
        "transferred",
        "turn",
        "unmoved",
        "won",
    )
)
