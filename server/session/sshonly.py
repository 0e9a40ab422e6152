"""What ssh alone may do: in a browser it is refused with a sentence. The one place that says what that is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from server.session.places import NamedPlace, Place, ReportPlace, StoredPlace

COMMANDS: Final[Mapping[str, frozenset[str]]] = {  # by context of the key table
    "me": frozenset(("keys", "codes", "web", "feed")),  # links outlive the browser that made them
    "ownkeys": frozenset(("remove", "line", "logout", "label", "codes")),
    "staff": frozenset(("reports",)),
    "sanctions": frozenset(("lift",)),
    "report": frozenset(("mute", "ban", "note", "dismiss", "lift")),
    "welcome": frozenset(("accept", "link", "join")),
    "codes": frozenset(("accept",)),
}
PLACES: Final = frozenset((NamedPlace.CODES, NamedPlace.REPORTS, NamedPlace.SANCTIONS))


def is_command(contexts: Iterable[str], command: str) -> bool:
    """Tell whether a command of one of these contexts is done by ssh only."""
    return any(command in COMMANDS.get(context, ()) for context in contexts)


def is_place(place: Place | StoredPlace) -> bool:
    """Tell whether a place is reached by ssh only."""
    return isinstance(place, ReportPlace) or place in PLACES
