"""By which events somebody learns what a hidden card is."""

from __future__ import annotations

from collections.abc import Mapping

# Kind -> the parameter that everybody is told where it reveals something; "": it always may.
REVEALING: Mapping[str, str] = {
    "capture": "",
    "check": "",
    "enter-shown": "",
}
HARMLESS = frozenset(
    (
        "404",
        "404-kept",
        "404-swapped",
        "begin",
        "boost",
        "boost-returns",
        "enter",
        "enter-hidden",
        "firewall",
        "move",
        "ready",
        "unboost",
        "unfirewall",
    )
)
