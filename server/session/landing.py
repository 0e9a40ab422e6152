"""Where a session begins: the lobby, or straight at one page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from server.address import LOCAL, Address

LandingPlace = Literal["lobby", "join", "watch", "replay"]


@dataclass(frozen=True, slots=True)
class Landing:
    """A place, and its `argument`: the invite code or match id.

    `lang`: the client's LANG as it came, which chooses the first language. `session`: the name of the connection's
    terminal among all that one person may have open. `reached_at`: how they got here, and how others will.
    """

    place: LandingPlace = "lobby"
    argument: str = ""
    lang: str = ""
    session: str = ""
    reached_at: Address = LOCAL
